/** What the façades throw: two classes, because users catch two things. Match on `code`. */
import { brandOf, hasBrand, isInstanceOf } from "../base/brand.ts";
import type { Failure, IncompleteReason } from "../base/failure.ts";
import { EMPTY_TIMING, type Timing } from "../timing/timing.ts";
import { type Attempt, type Skipped, withoutWords } from "./record.ts";
import type { CompleteTurn, IncompleteTurn, Turn } from "./turn.ts";

export type CallErrorCode =
  /** Your request, key or model is wrong (400, 401, 403, 404, 413, 422): status as given, no other endpoint was asked. */
  | "request_rejected"
  | "provider_unavailable"
  | "provider_timeout"
  | "provider_rate_limited"
  | "provider_error"
  | "no_endpoint_available"
  | "refused"
  | "aborted"
  /** An endpoint's `headers`, `apiKey` or `body` function failed (`cause` is its error), or built something unsendable (no value shown). */
  | "configuration";

export interface CallErrorInit {
  readonly message: string;
  readonly status?: number | null | undefined;
  readonly attempts?: readonly Attempt[] | undefined;
  readonly failure?: Failure | null | undefined;
  readonly cause?: unknown;
}

/** What only the router knows of a failed call. */
export interface CallErrorContext {
  readonly callId: string;
  readonly skipped: readonly Skipped[];
  readonly timing: Timing;
  readonly budgetExhausted: boolean;
}

const CALL_ERROR = brandOf("CallError");
const INCOMPLETE_TURN_ERROR = brandOf("IncompleteTurnError");
const NO_CONTEXT: CallErrorContext = { callId: "", skipped: [], timing: EMPTY_TIMING, budgetExhausted: false };

/** Nothing was delivered: no endpoint got as far as its first output. */
export class CallError extends Error {
  /** Works across copies and across ESM/CJS, as does `IncompleteTurnError`. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isInstanceOf(this, CallError, CALL_ERROR, value);
  }
  override readonly name = "CallError";
  readonly code: CallErrorCode;
  /** The provider's own for `request_rejected` and `refused`; the mapped one otherwise; `null` for `aborted`. */
  readonly status: number | null;
  readonly retryAfterMs: number | null;
  readonly budgetExhausted: boolean;
  readonly callId: string;
  readonly attempts: readonly Attempt[];
  readonly skipped: readonly Skipped[];
  readonly timing: Timing;
  /** The last one. */
  readonly failure: Failure | null;

  constructor(code: CallErrorCode, init: CallErrorInit, context: CallErrorContext = NO_CONTEXT) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    Object.defineProperty(this, CALL_ERROR, { value: true });
    this.code = code;
    this.status = init.status ?? null;
    this.failure = init.failure ?? null;
    this.retryAfterMs = this.failure?.retryAfterMs ?? null;
    this.attempts = init.attempts ?? [];
    this.budgetExhausted = context.budgetExhausted;
    this.callId = context.callId;
    this.skipped = context.skipped;
    this.timing = context.timing;
  }

  /** Metadata only: fit for a log. */
  toJSON(): object {
    const { name, message, code, status, retryAfterMs, budgetExhausted, callId, skipped, timing, failure } = this;
    const attempts = this.attempts.map(withoutWords);
    const bare = failure && { ...failure, providerMessage: null, cause: null };
    return {
      name,
      message,
      code,
      status,
      retryAfterMs,
      budgetExhausted,
      callId,
      attempts,
      skipped,
      timing,
      failure: bare,
    };
  }
}

/** Something was delivered, and it is not the whole answer. */
export class IncompleteTurnError extends Error {
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isInstanceOf(this, IncompleteTurnError, INCOMPLETE_TURN_ERROR, value);
  }
  override readonly name = "IncompleteTurnError";
  /** `turn.reason`, so that one `switch (error.code)` serves both errors; `"aborted"` means the same in both. */
  readonly code: IncompleteReason;
  declare readonly turn: IncompleteTurn;

  constructor(turn: IncompleteTurn) {
    const { error, reason } = turn;
    const message = error?.message ?? PROVIDER_ENDED[reason] ?? `the answer is incomplete (${reason})`;
    super(message, error?.cause === undefined || error.cause === null ? undefined : { cause: error.cause });
    Object.defineProperty(this, INCOMPLETE_TURN_ERROR, { value: true });
    // Not enumerable: what prints or serialises an error must not print half an answer.
    Object.defineProperty(this, "turn", { value: turn });
    this.code = reason;
  }

  /** Metadata only: fit for a log. */
  toJSON(): object {
    const { name, message, code } = this;
    return { name, message, code, turn: this.turn.toJSON({ content: false }) };
  }
}

const PROVIDER_ENDED: Partial<Record<IncompleteReason, string>> = {
  length: "the answer was cut at the token limit",
  content_filter: "a content filter ended the answer",
  paused: "the provider paused the answer",
};

export type TtftError = CallError | IncompleteTurnError;

export function isTtftError(error: unknown): error is TtftError {
  return hasBrand(error, CALL_ERROR) || hasBrand(error, INCOMPLETE_TURN_ERROR);
}

/** Narrows in place. @throws IncompleteTurnError */
export function assertComplete(turn: Turn): asserts turn is CompleteTurn {
  if (turn.status !== "complete") throw new IncompleteTurnError(turn);
}
