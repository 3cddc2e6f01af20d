/** What the consumer may trust: a whole answer, or one that says that it is not. */
import type { Failure, IncompleteReason } from "../base/failure.ts";
import type { StopReason, Usage } from "../protocol/protocol.ts";
import type { Timing } from "../timing/timing.ts";
import type { Attempt, CallRecord, Skipped } from "./record.ts";

/** `switch (turn.status)`. Nothing that could be taken for a whole answer is readable before that. */
export type Turn = CompleteTurn | IncompleteTurn;

export interface CompleteTurn extends TurnMeta {
  readonly status: "complete";
  readonly text: string;
  readonly reasoning: string;
  readonly refusal: string;
  /** Arguments as the model wrote them. To run them: `executableToolCalls(turn)`. */
  readonly toolCalls: readonly ToolCall[];
  /** `null` where the host sent its success signal but no reason. */
  readonly stopReason: StopReason | null;
  readonly hasInvalidToolCalls: boolean;
  /** The answer as its provider wants it back, signatures and encrypted reasoning included. Opaque. */
  readonly output: readonly object[];
}

export interface IncompleteTurn extends TurnMeta {
  readonly status: "incomplete";
  readonly reason: IncompleteReason;
  /** The provider ended it properly (`length`, `content_filter`, `paused`), as opposed to a cut. */
  readonly terminal: boolean;
  /** What arrived. Show it, mark it; never store it as the answer. */
  readonly partialText: string;
  readonly partialReasoning: string;
  readonly partialRefusal: string;
  /** Pieces of tool calls. Deliberately not `ToolCall`s. */
  readonly toolFragments: readonly ToolFragment[];
  readonly stopReason: StopReason | null;
  /** What went wrong, `null` where nothing did (`length`, …). */
  readonly error: Failure | null;
  readonly output: readonly object[];
}

/** The same on both. Metadata only: no field here holds what a user wrote or a model said. */
export interface TurnMeta {
  /** Ours; the same in spans, records and errors. */
  readonly callId: string;
  /** The provider's id of the answer. */
  readonly id: string | null;
  readonly requestId: string | null;
  readonly label: string | null;
  /** Of the endpoint that answered; `output` is in it. */
  readonly protocol: string;
  /** The one the request was written in. */
  readonly requestProtocol: string;
  readonly endpoint: string;
  /** As the provider reported it. */
  readonly model: string | null;
  readonly rawStopReason: string | null;
  readonly usage: Usage | null;
  readonly timing: Timing;
  readonly attempts: readonly Attempt[];
  readonly skipped: readonly Skipped[];
  readonly lastEvent: string | null;
  /** Was the protocol's success signal seen? (A `length` stop has it too.) */
  readonly successSignal: boolean;
  /** Choices or candidates other than the first, counted and not kept. */
  readonly ignoredChoices: number;
  readonly annotations: Readonly<Record<string, string>>;
  /** The last event came without its closing blank line. */
  readonly unterminatedFinalEvent: boolean;
  /** `false`: the host answered a streaming call with one JSON document. */
  readonly streamed: boolean;
  /** `callId` of the turn this one replaces. */
  readonly restartOf: string | null;
  /**
   * `JSON.stringify(turn)` keeps everything. `turn.toJSON({ content: false })` is the record for logs and JSONL.
   * (`JSON.stringify` passes a key as the first argument; a string is ignored.)
   */
  toJSON(options: { readonly content: false }): CallRecord;
  toJSON(options?: { readonly content?: boolean | undefined } | string): object;
}

export interface ToolCall {
  readonly id: string;
  readonly index: number;
  readonly name: string;
  /** JSON text, unparsed. */
  readonly arguments: string;
  /** Already run by the provider: never ours to execute. */
  readonly providerExecuted: boolean;
}

export interface ToolFragment {
  readonly id: string | null;
  readonly index: number;
  readonly name: string | null;
  readonly argumentsFragment: string;
}
