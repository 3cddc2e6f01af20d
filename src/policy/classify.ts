/** A failure → what it permits, how heavily the breaker counts it, and whether it proves that nothing was executed. */
import type { Failure } from "../base/failure.ts";
import { isCertificateError, neverConnected } from "./causes.ts";
import { meaningOf } from "./provider-codes.ts";
import { byReason, type LeadsTo } from "./reasons.ts";

/** Neither: the failure ends the call. */
interface Permits {
  /** The same endpoint may be tried again. */
  readonly retry: boolean;
  /** The next endpoint may be tried. */
  readonly fallback: boolean;
}

/** The server said it itself, in band or by HTTP, as opposed to what we saw or decided. */
const isServersWord = ({ reason }: Failure) => reason === "provider_error" || reason === "http_error";

/** Not an error of the chat call at all: a redirect (a browser hides its status), 1xx, 204, 205. */
const isNoAnswer = ({ reason, httpStatus }: Failure) =>
  reason === "http_error" && (httpStatus === null || httpStatus < 400);

function leadsToOf(failure: Failure): LeadsTo {
  const { reason, retryAfterMs, cause } = failure;
  const byDefault = byReason[reason].leadsTo;
  if (reason === "connection_failed" && isCertificateError(cause)) return "fallback";
  if (!isServersWord(failure) || isNoAnswer(failure)) return byDefault;
  const { leadsTo, status } = meaningOf(failure) ?? byReason[reason];
  // A conflict passes if the server says when, as with an idempotency key that is in flight elsewhere.
  if (status === 409 && (retryAfterMs !== null || failure.shouldRetry)) return "retry";
  return leadsTo;
}

/** Keys, payment and permission do not get better by asking again. */
const isForbidden = (status: number | null) => status === 401 || status === 402 || status === 403;

/** `x-should-retry: true` permits what the status alone would not, where asking again could help at all. */
function retryIsAsked(failure: Failure, leadsTo: LeadsTo): boolean {
  return (
    failure.shouldRetry === true &&
    isServersWord(failure) &&
    !isNoAnswer(failure) &&
    leadsTo !== "refuse" &&
    !isForbidden(failure.status) &&
    !isForbidden(failure.httpStatus)
  );
}

/** What a failed attempt that has released nothing permits. */
export function permits(failure: Failure): Permits {
  const leadsTo = leadsToOf(failure);
  const retry = leadsTo === "retry" && failure.shouldRetry !== false;
  return {
    retry: retry || retryIsAsked(failure, leadsTo),
    fallback: leadsTo === "retry" || leadsTo === "fallback",
  };
}

/**
 * What the failure counts for the breaker: 1, for a 429 ½, and 0 for what is not the endpoint's fault: our own limits,
 * the caller's doing, the model's endings (the reasons that end a call), and one silence (slow is not dead).
 */
export function weightOf(failure: Failure): number {
  const { leadsTo, status: usual } = byReason[failure.reason];
  if (isServersWord(failure)) {
    const status = failure.status ?? usual ?? 0;
    if (status === 429) return 0.5;
    return status === 408 || status === 425 || status >= 500 ? 1 : 0;
  }
  return leadsTo === "end" || leadsTo === "refuse" || failure.reason === "timeout_first_token" ? 0 : 1;
}

/**
 * Is it certain that the provider has not begun to work on the request? Only then may a call with effects on the
 * provider's side be sent again. A 503 in band proves nothing: the stream had begun.
 */
export function provesNotExecuted({ reason, httpStatus, cause }: Failure): boolean {
  if (reason === "timeout_connect") return true;
  if (reason === "connection_failed") return neverConnected(cause);
  return reason === "http_error" && (httpStatus === 429 || httpStatus === 503 || httpStatus === 529);
}
