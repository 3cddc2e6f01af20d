/** What is written down of a call and of each of its attempts: numbers and names, never content. */
import type { Failure, Outcome } from "../base/failure.ts";
import type { SkipReason } from "../policy/states.ts";
import type { StopReason, Usage } from "../protocol/protocol.ts";
import type { PromptBand } from "../timing/limits.ts";
import type { Timing } from "../timing/timing.ts";

/** An endpoint that was passed over. Not an attempt. */
export interface Skipped {
  readonly endpoint: string;
  readonly why: SkipReason;
}

export type AttemptKind = "initial" | "retry" | "fallback" | "hedge";

export interface Attempt {
  readonly index: number;
  readonly endpoint: string;
  readonly kind: AttemptKind;
  /** `null` while it runs. */
  readonly outcome: Outcome | "hedge_lost" | null;
  /** From the call's start to this attempt's: puts attempts on one axis. */
  readonly startMs: number;
  /** The wait before it. */
  readonly backoffMs: number;
  /** Did a request leave? */
  readonly dispatched: boolean;
  readonly status: number | null;
  readonly httpStatus: number | null;
  readonly requestId: string | null;
  readonly gate: "opened" | "failed" | "overflow" | null;
  readonly failure: Failure | null;
  /** From the attempt's own start. */
  readonly timing: Timing;
}

/** The metadata-only record of a call: one line of JSONL, what observers get, what `ttft percentiles` reads. */
export interface CallRecord {
  readonly callId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  readonly outcome: Outcome;
  readonly label: string | null;
  readonly endpoint: string | null;
  readonly protocol: string;
  readonly model: string | null;
  readonly id: string | null;
  readonly requestId: string | null;
  readonly stopReason: StopReason | null;
  readonly rawStopReason: string | null;
  readonly usage: Usage | null;
  readonly promptBand: PromptBand;
  readonly timing: Timing;
  readonly attempts: readonly Attempt[];
  readonly skipped: readonly Skipped[];
  readonly lastEvent: string | null;
  readonly successSignal: boolean;
  readonly terminal: boolean;
  readonly annotations: Readonly<Record<string, string>>;
  /** Length of the arguments of each call or fragment; never their text. */
  readonly toolArgumentLengths: readonly number[];
  readonly toolCalls: number;
  readonly restartOf: string | null;
}

/** As records and observers get it: without the provider's words and without the cause. */
export function withoutWords(attempt: Attempt): Attempt {
  const { failure } = attempt;
  return failure === null ? attempt : { ...attempt, failure: { ...failure, providerMessage: null, cause: null } };
}
