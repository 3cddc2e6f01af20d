/** One reading of a sample by a protocol, watched: what came of it, and what a decoder may not do. */
import { Inspector } from "../attempt/inspector.ts";
import type { Protocol, ProtocolDecoder, ProtocolEvent, StopReason, StreamEvent, Usage } from "../protocol/protocol.ts";
import { Timeline } from "../timing/timeline.ts";
import type { ToolCall } from "../turn/turn.ts";
import { judge } from "../turn/verdict.ts";
import { FrameFault } from "../wire/json.ts";

/** What a reading comes to. */
export interface Reading {
  /** `complete`, or why not. */
  readonly outcome: string;
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  readonly toolCalls: readonly ToolCall[];
  readonly usage: Usage | null;
  readonly output: readonly object[];
  /** Consumer events, without `raw`. */
  readonly events: readonly object[];
  /** The success signal, or another end, came before the body ended. */
  readonly settledEarly: boolean;
  readonly isDocument: boolean;
  /** Every frame was JSON, `[DONE]` apart. */
  readonly speaksJson: boolean;
  /** What the decoder did that no decoder may do. */
  readonly offence: string | null;
}

export function readBy(protocol: Protocol, chunks: Iterable<Uint8Array>): Reading {
  const events: object[] = [];
  const watched = new WatchedProtocol(protocol);
  const inspector = new Inspector({
    protocol: watched,
    timeline: new Timeline(0),
    collect: true,
    maxEventBytes: 16 * 1024 * 1024,
    maxTurnBytes: 64 * 1024 * 1024,
    onEvent: (event) => void events.push(bare(event)),
  });
  for (const chunk of chunks) inspector.feed(chunk, 0);
  const settledEarly = inspector.answer.settled;
  inspector.end(0);
  const verdict = judge(inspector.answer.facts, inspector.answer.failure, {
    accept: [],
    lenient: false,
    isErrorCode: () => false,
  });
  const { text, reasoning, refusal, toolCalls, usage } = inspector.answer.assembler;
  return {
    outcome: verdict.status === "complete" ? "complete" : verdict.reason,
    text,
    reasoning,
    refusal,
    toolCalls,
    usage,
    output: inspector.output,
    events,
    settledEarly,
    isDocument: inspector.isDocument,
    speaksJson: watched.speaksJson,
    offence: watched.offence,
  };
}

const bare = ({ raw: _raw, ...event }: StreamEvent): object => event;

/** Passes everything on and remembers the first offence: the inspector makes a malformed event of what a decoder throws. */
class WatchedProtocol implements Protocol {
  readonly name: string;
  readonly framing: "sse" | "ndjson";
  offence: string | null = null;
  speaksJson = true;
  readonly #protocol: Protocol;
  readonly #open = new Set<number>();

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.name = protocol.name;
    this.framing = protocol.framing;
  }

  createDecoder(): ProtocolDecoder {
    const decoder = this.#protocol.createDecoder({ collect: true });
    const { document, end } = decoder;
    return {
      frame: (frame, emit) => {
        if (frame.data.trim() !== "[DONE]") this.speaksJson &&= isJson(frame.data);
        this.#guard(() => decoder.frame(frame, this.#checking(emit)));
      },
      ...(document && {
        document: (json, emit) => this.#guard(() => document.call(decoder, json, this.#checking(emit))),
      }),
      ...(end && { end: (emit) => this.#guard(() => end.call(decoder, this.#checking(emit))) }),
      output: () => decoder.output?.() ?? [],
    };
  }

  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      // That a frame is no JSON is the server's doing.
      if (!(error instanceof FrameFault)) this.offence ??= `the decoder threw ${String(error)}`;
      throw error;
    }
  }

  #checking(emit: (event: ProtocolEvent) => void): (event: ProtocolEvent) => void {
    return (event) => {
      this.offence ??= offenceOf(event, this.#open);
      emit(event);
    };
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const STOP_REASONS: readonly (StopReason | null)[] = [
  null,
  "stop",
  "stop_sequence",
  "tool_calls",
  "refusal",
  "length",
  "content_filter",
  "paused",
];

/** What is wrong with an event, in the order of its stream. */
function offenceOf(event: ProtocolEvent, openCalls: Set<number>): string | null {
  const wrong = (field: string, allowed: string) =>
    `${event.type}.${field} must be ${allowed}, got ${JSON.stringify((event as any)[field]) ?? "undefined"}`;
  switch (event.type) {
    case "text":
    case "reasoning":
    case "refusal":
      return typeof event.text === "string" ? null : wrong("text", "a string");
    case "tool_call":
      if (typeof event.index !== "number") return wrong("index", "a number");
      if (typeof event.id !== "string" || event.id === "") return wrong("id", "a string that is not empty");
      if (typeof event.name !== "string" || event.name === "") return wrong("name", "a string that is not empty");
      if (openCalls.has(event.index)) return wrong("index", "a new one for each call");
      openCalls.add(event.index);
      return null;
    case "tool_arguments":
      if (!openCalls.has(event.index)) return wrong("index", "that of an earlier tool_call");
      return typeof event.delta === "string" ? null : wrong("delta", "a string");
    case "stop":
      if (!STOP_REASONS.includes(event.stopReason)) return wrong("stopReason", "a StopReason or null");
      return typeof event.rawStopReason === "string" ? null : wrong("rawStopReason", "a string");
    case "error":
      return event.message === undefined ? wrong("message", "a string") : null;
    default:
      return null;
  }
}
