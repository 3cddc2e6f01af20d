/** What can be set of the policy, and the shape of its question and its answer. */
import type { Failure } from "../base/failure.ts";

/** Options with every default filled in. */
export type Settings<Options> = { readonly [Name in keyof Options]-?: NonNullable<Options[Name]> };

export interface RetryOptions {
  /** At the last usable endpoint. Default 2. */
  readonly maxRetries?: number | undefined;
  /** At an endpoint while another usable one is left. Default 0: move on at once. */
  readonly beforeFallback?: number | undefined;
  /** First delay. Default 1 000; doubles, ± 50 %. */
  readonly baseDelayMs?: number | undefined;
  /** Default 8 000. */
  readonly maxDelayMs?: number | undefined;
  /** All attempts of a call, hedges included. Default 4, or the number of endpoints if larger. */
  readonly maxAttempts?: number | undefined;
  /** The longest `retry-after` that is waited for. Default 5 000. */
  readonly maxRetryAfterMs?: number | undefined;
}

export interface FallbackOptions {
  /** Default: every endpoint you listed. */
  readonly maxFallbacks?: number | undefined;
}

export interface BreakerOptions {
  /** Weighted failures in a row that open it. Default 5. */
  readonly consecutiveFailures?: number | undefined;
  /** Or this share of … Default 0.5. */
  readonly failureRatio?: number | undefined;
  /** … at least this many attempts started in the window. Default 10. */
  readonly minCalls?: number | undefined;
  /** Default 60 000. */
  readonly windowMs?: number | undefined;
  /** The failures that open it must span this long. Default 1 000. */
  readonly minSpanMs?: number | undefined;
  /** Or this many silent attempts in a row … Default 3. */
  readonly silentAttempts?: number | undefined;
  /** … with nothing at all from the endpoint for this long. Default 10 000. */
  readonly silentForMs?: number | undefined;
  /** First open time; doubles. Default 5 000. */
  readonly openMs?: number | undefined;
  /** Default 60 000. */
  readonly maxOpenMs?: number | undefined;
}

/** Same-endpoint retries ≤ max(minPerWindow, ratio × calls started in the window). Fallbacks cost nothing. */
export interface RetryBudgetOptions {
  /** Default 0.2. */
  readonly ratio?: number | undefined;
  /** Default 3. */
  readonly minPerWindow?: number | undefined;
  /** Default 60 000. */
  readonly windowMs?: number | undefined;
}

/** What to do after a failed attempt. Asked before output only; `next` is the default answer. Pure: no I/O, no clock. */
export type Policy = (input: PolicyInput, next: (input: PolicyInput) => Decision) => Decision;

export interface PolicyInput {
  /** Of the attempt that has just ended. */
  readonly failure: Failure;
  /** Where it was made. */
  readonly endpoint: string;
  /** Attempts this call has made there, the failed one included: 1 after the first. */
  readonly attemptsHere: number;
  /** Other endpoints this call may still move to: untried, capable, breaker closed, not resting, within `maxFallbacks`. */
  readonly endpointsLeft: number;
  /** Until the gate has to be open. */
  readonly remainingMs: number;
  /** Does the retry budget allow one more retry at the same endpoint? */
  readonly budgetLeft: boolean;
  /** In [0, 1), for jitter. */
  readonly random: number;
}

export type Decision =
  | { readonly action: "retry"; readonly delayMs: number }
  | { readonly action: "fallback" }
  | { readonly action: "end" };
