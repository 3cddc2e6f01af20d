/** From the failure that ended a call to the error its caller gets. */
import type { Failure } from "../base/failure.ts";
import { CallError, type CallErrorCode, type CallErrorContext } from "../turn/errors.ts";
import type { Attempt } from "../turn/record.ts";

/** One code per thing a caller can do about it. */
function callErrorCodeOf({ reason, status }: Failure): CallErrorCode {
  if (reason === "aborted" || reason === "refused" || reason === "configuration") return reason;
  if (reason === "no_endpoint") return "no_endpoint_available";
  if (status === 429) return "provider_rate_limited";
  if (status === 408 || status === 504) return "provider_timeout";
  if (status === null || status === 502) return "provider_error";
  return status >= 500 ? "provider_unavailable" : "request_rejected";
}

/** `message` is our one-line sentence alone; the provider's words stay in `failure.providerMessage`. */
export function callErrorOf(failure: Failure, attempts: readonly Attempt[], context: CallErrorContext): CallError {
  const code = callErrorCodeOf(failure);
  // Whoever is told to fix a request, a key or a policy gets the status that the provider's own documentation speaks of.
  const isTheirs = (code === "request_rejected" || code === "refused") && (failure.httpStatus ?? 0) >= 400;
  const status = code === "aborted" ? null : isTheirs ? failure.httpStatus : failure.status;
  const { message, cause } = failure;
  return new CallError(code, { message, status, attempts, failure, cause: cause ?? undefined }, context);
}
