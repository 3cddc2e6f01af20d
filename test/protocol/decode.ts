/** Feeds frames that stand in a test to a fresh decoder, and keeps what it says. */
import type { Protocol, ProtocolDecoder, ProtocolEvent } from "../../src/protocol/protocol.ts";
import type { Frame } from "../../src/wire/frame.ts";

export const frameOf = (data: unknown, event = ""): Frame => {
  const text = typeof data === "string" ? data : JSON.stringify(data);
  return { event, data: text, json: () => JSON.parse(text) };
};

export interface Decoded {
  readonly events: readonly ProtocolEvent[];
  readonly decoder: ProtocolDecoder;
  readonly output: readonly object[];
}

/** Strings are data as they are, `[event, data]` has an `event:` line, all else is JSON without one. */
export function decode(
  protocol: Protocol,
  frames: readonly unknown[],
  options = { collect: true, end: false },
): Decoded {
  const events: ProtocolEvent[] = [];
  const decoder = protocol.createDecoder(options);
  for (const frame of frames) {
    const [event, data] = Array.isArray(frame) ? frame : ["", frame];
    decoder.frame(frameOf(data, event), (emitted) => events.push(emitted));
  }
  if (options.end) decoder.end?.((emitted) => events.push(emitted));
  return { events, decoder, output: decoder.output?.() ?? [] };
}

/** A whole body, as one JSON document. */
export function decodeDocument(protocol: Protocol, json: unknown): Decoded {
  const events: ProtocolEvent[] = [];
  const decoder = protocol.createDecoder({ collect: true });
  decoder.document?.(json, (emitted) => events.push(emitted));
  return { events, decoder, output: decoder.output?.() ?? [] };
}

export const textOf = (events: readonly ProtocolEvent[], type: "text" | "reasoning" = "text"): string =>
  events.map((event) => (event.type === type ? event.text : "")).join("");

export const typesOf = (events: readonly ProtocolEvent[]): string[] => events.map((event) => event.type);

export const lastOf = <Type extends ProtocolEvent["type"]>(events: readonly ProtocolEvent[], type: Type) =>
  events.filter((event): event is Extract<ProtocolEvent, { type: Type }> => event.type === type).at(-1);

/** Arguments by call, in order. */
export function callsOf(events: readonly ProtocolEvent[]): { id: string; name: string; arguments: string }[] {
  return events
    .filter((event) => event.type === "tool_call")
    .map(({ id, name, index }) => {
      const pieces = events.map((event) =>
        event.type === "tool_arguments" && event.index === index ? event.delta : "",
      );
      return { id, name, arguments: pieces.join("") };
    });
}
