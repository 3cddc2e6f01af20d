/** The seam between a provider's frames and our events. Decoders are pure state machines: no I/O, no time, no promises. */
import type { Failure } from "../base/failure.ts";
import type { Frame } from "../wire/frame.ts";

export type ProtocolName =
  | "openai-chat"
  | "openai-responses"
  | "anthropic-messages"
  | "gemini"
  | "ollama"
  | "cohere-v2"
  | "openai-completions";

export type StopReason = "stop" | "stop_sequence" | "tool_calls" | "refusal" | "length" | "content_filter" | "paused";

/** Token counts; cached and reasoning tokens are parts of input and output, on every protocol. */
export interface Usage {
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly cachedInputTokens: number | null;
  readonly reasoningTokens: number | null;
}

/**
 * What a consumer sees. Failures are thrown, not yielded; keep-alives are counted, not yielded; the end is the loop's end.
 * `raw` is the decoded frame the event came from (the provider's own object): logprobs, citations, filter results.
 */
export type StreamEvent = StreamEventMap[keyof StreamEventMap];
export interface StreamEventMap {
  start: { readonly type: "start"; readonly id: string | null; readonly model: string | null; readonly raw: unknown };
  text: { readonly type: "text"; readonly text: string; readonly index: number; readonly raw: unknown };
  reasoning: { readonly type: "reasoning"; readonly text: string; readonly index: number; readonly raw: unknown };
  refusal: { readonly type: "refusal"; readonly text: string; readonly index: number; readonly raw: unknown };
  tool_call: {
    readonly type: "tool_call";
    readonly index: number;
    readonly id: string;
    readonly name: string;
    readonly raw: unknown;
  };
  tool_arguments: {
    readonly type: "tool_arguments";
    readonly index: number;
    readonly delta: string;
    readonly raw: unknown;
  };
  usage: { readonly type: "usage"; readonly usage: Usage; readonly raw: unknown };
  stop: {
    readonly type: "stop";
    readonly stopReason: StopReason | null;
    readonly rawStopReason: string;
    readonly raw: unknown;
  };
  /** A frame of the provider that this library has no event for. */
  other: { readonly type: "other"; readonly raw: unknown };
}

/** What a decoder says: a `StreamEvent` without `raw` (added for you), or one of those that consumers never see. */
export type ProtocolEvent =
  | { [Type in keyof StreamEventMap]: Omit<StreamEventMap[Type], "raw"> }[keyof StreamEventMap]
  | { readonly type: "keep_alive" }
  /** A tool that the provider runs: opens the gate. */
  | { readonly type: "provider_tool"; readonly id: string | null; readonly name: string }
  | {
      readonly type: "error";
      readonly code?: string | null | undefined;
      readonly providerType?: string | null | undefined;
      readonly message: string;
    }
  /** The frame is not one of this protocol's (a second `message_start`, …). */
  | { readonly type: "malformed"; readonly message: string }
  /** The provider has ended the answer, and it is not the success signal (`response.incomplete`). */
  | { readonly type: "end" }
  /** Something came for a choice other than the first. */
  | { readonly type: "ignored_choice"; readonly index: number }
  /** A call that the provider answered in the stream after all. */
  | { readonly type: "tool_answered"; readonly index: number }
  /** The success signal, and only that. */
  | { readonly type: "done" };

export type Emit = (event: ProtocolEvent) => void;

export interface ProtocolDecoder {
  /** A frame for which nothing is emitted becomes `other` (progress, no output). */
  frame(frame: Frame, emit: Emit): void;
  /** A JSON answer to a streaming call. */
  document?(json: any, emit: Emit): void;
  /** A clean end of the body. */
  end?(emit: Emit): void;
  /** The provider's own blocks so far, in order: becomes `turn.output`. */
  output?(): readonly object[];
}

export interface DecoderOptions {
  /** `false`: keep nothing for `output()`. */
  readonly collect: boolean;
}

/** How a request of a protocol differs from what the caller wrote. */
export interface RequestShape {
  /** Headers that it needs; the endpoint's win over them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Objects that a request has unless caller or endpoint say otherwise, merged below what they wrote. */
  readonly defaults?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Fields that stand in the address and must not be in the body (`model`, `stream`). */
  readonly omit?: readonly string[];
}

export interface Protocol {
  readonly name: string;
  readonly framing: "sse" | "ndjson";
  /** For `createFetch`: is this path mine? */
  matches?(url: URL): boolean;
  /** What its requests have beside what was written. Default: `stream: true` and nothing else. */
  readonly request?: RequestShape;
  /** Where an `apiKey` goes. Default `authorization: Bearer`. */
  authorize?(apiKey: string): Readonly<Record<string, string>>;
  /** A fresh one per attempt. Pure: no I/O, no time. */
  createDecoder(options?: DecoderOptions): ProtocolDecoder;
  /** The JSON error this protocol's SDK expects. */
  errorBody?(failure: Failure): object;
}
