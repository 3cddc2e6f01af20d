/** What an event shows of the frame that it came from. Pure; used by `inspector.ts`. */
import type { ProtocolEvent, StreamEvent } from "../protocol/protocol.ts";
import type { Frame } from "../wire/frame.ts";

/** Written out for the types that come by the hundred thousand: a spread costs a multiple. */
export function withRaw(event: ProtocolEvent, raw: unknown): StreamEvent {
  const { type } = event;
  if (type === "text" || type === "reasoning") return { type, text: event.text, index: event.index, raw };
  if (type === "tool_arguments") return { type, index: event.index, delta: event.delta, raw };
  return { ...event, raw } as StreamEvent;
}

/** What the JSON says wins over an equal `event:`: engines keep the whole text that a piece was cut from. */
export function typeOf(frame: Frame): string | null {
  const json = frame.data === "[DONE]" ? { type: frame.data } : jsonOf(frame);
  const said = json?.type ?? json?.object;
  const type = frame.event === "" || frame.event === said ? said : frame.event;
  return typeof type === "string" ? type.slice(0, 64) : null;
}

/** The decoded frame, or `null` where its data is no JSON (`[DONE]`). */
export function jsonOf(frame: Frame | null): any {
  try {
    return frame?.json() ?? null;
  } catch {
    return null;
  }
}
