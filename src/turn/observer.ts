/** What may listen to a call, and how listeners are kept from hurting it. Everything reports here; nothing reads from it. */
import type { BreakerState, SkipReason } from "../policy/states.ts";
import type { PromptBand } from "../timing/limits.ts";
import type { Attempt, AttemptKind, CallRecord } from "./record.ts";

/**
 * Numbers and names, never content. All methods optional, synchronous, isolated: a throwing one hurts nobody.
 * Every `attemptStart` is followed by exactly one `attemptEnd`, every `callStart` by exactly one `callEnd`. `call` and
 * `attempt` are the same objects each time: use them as `WeakMap` keys.
 */
export interface Observer {
  /** Runs synchronously inside the call, so that the caller's context is current. */
  callStart?(call: CallInfo): void;
  attemptStart?(attempt: AttemptInfo): void;
  /** Runs around the request, synchronously: sets an active context, may add headers. Must call `next` once. */
  dispatch?<Result>(attempt: AttemptInfo, headers: Headers, next: () => Result): Result;
  /** First event that is not a keep-alive. */
  firstEvent?(attempt: AttemptInfo, ms: number): void;
  firstOutput?(attempt: AttemptInfo, ms: number): void;
  firstContent?(attempt: AttemptInfo, ms: number): void;
  gap?(attempt: AttemptInfo, ms: number): void;
  attemptEnd?(attempt: AttemptInfo, result: Attempt): void;
  callEnd?(call: CallInfo, record: CallRecord): void;
  /** An endpoint that was passed over; it has no `attemptStart`. */
  skipped?(call: CallInfo, endpoint: string, why: SkipReason): void;
  breaker?(endpoint: string, state: BreakerState): void;
  /** E.g. a first-token limit that would have cut more than 1 % of healthy calls. */
  warning?(warning: { readonly code: string; readonly message: string }): void;
}

export interface CallInfo {
  readonly callId: string;
  readonly label: string | null;
  readonly protocol: string;
  readonly model: string | null;
  readonly promptBand: PromptBand;
  /** The endpoint that is tried first. */
  readonly endpoint: string;
  readonly url: URL;
  readonly restartOf: string | null;
  /** Numeric request parameters only (`temperature`, `max_tokens`, …). */
  readonly parameters: Readonly<Record<string, number>>;
}

export interface AttemptInfo {
  readonly call: CallInfo;
  readonly index: number;
  readonly kind: AttemptKind;
  readonly endpoint: string;
  readonly model: string | null;
  readonly url: URL;
  readonly startMs: number;
}
