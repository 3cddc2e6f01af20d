/** `error.type`: a closed list, whatever a server says. */
import type { Failure } from "../base/failure.ts";
import { isErrorCode } from "../policy/provider-codes.ts";

/**
 * The provider's code or type if it is one of those that the policy knows, the HTTP status of an HTTP error, else our
 * reason. `null` for what is no error: the caller's own abort, and an end that the provider chose (no failure).
 */
export function errorTypeOf(failure: Failure | null | undefined): string | null {
  if (!failure || failure.reason === "aborted") return null;
  const { reason, providerCode, providerType, httpStatus } = failure;
  const code = [providerCode, providerType].find((said) => said !== null && isErrorCode(said))?.toLowerCase();
  // Gateways number theirs.
  if (code) return code.startsWith("guardrail") ? "guardrail" : code;
  return httpStatus !== null && (reason === "http_error" || httpStatus >= 400) ? String(httpStatus) : reason;
}
