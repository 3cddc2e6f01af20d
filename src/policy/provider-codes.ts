/** Provider error codes and types, and HTTP statuses: what each amounts to and what it leads to. */
import type { FailureReason } from "../base/failure.ts";
import { byReason, end, fallback, type Meaning, retry } from "./reasons.ts";

/** What a server said of its failure, in band or by HTTP. */
export interface ProviderAnswer {
  readonly providerCode: string | null;
  /** For Gemini its `status`. */
  readonly providerType: string | null;
  readonly httpStatus: number | null;
}

/** Who refuses in band without a status has none of its own: 403, by reason. */
const refuse: Meaning = { status: null, leadsTo: "refuse" };
/** The provider's own account is empty: a host's trouble, and not what a gateway decided about this caller. */
const accountEmpty = fallback(429);

const row = (meaning: Meaning, words: string) => words.split(" ").map((word) => [word, meaning] as const);

const byWord: ReadonlyMap<string, Meaning> = /* @__PURE__ */ new Map([
  ...row(retry(429), "too_many_requests rate_limit_exceeded rate_limit_error no_capacity"),
  ...row(accountEmpty, "insufficient_quota credit_balance_exhausted billing_error"),
  ...row(fallback(500), "server_error api_error"),
  ...row(retry(503), "overloaded_error server_is_overloaded service_unavailable service_unavailable_error unavailable"),
  ...row(retry(503), "stream_stalled stream_interrupted provider_disconnect"),
  ...row(retry(504), "timeout_error"),
  ...row(end(401), "authentication_error"),
  ...row(end(403), "permission_error permission_denied"),
  ...row(end(404), "not_found_error"),
  ...row(end(413), "request_too_large"),
  ...row(end(400), "invalid_request_error invalid_prompt context_length_exceeded content_filter"),
  ...row(refuse, "model_not_allowed budget_exceeded"),
]);

const isErrorStatus = (status: number | null): status is number => status !== null && status >= 400 && status < 600;
/** Payment required, and Portkey's guardrail verdict. */
const isRefusalStatus = (status: number | null) => status === 402 || status === 446;

/** 409 ends here: only the server's own word on a retry makes it one. */
function byStatus(status: number): Meaning {
  if (isRefusalStatus(status)) return { status, leadsTo: "refuse" };
  if ([408, 425, 429, 502, 503, 504, 529].includes(status)) return retry(status);
  return status < 500 ? end(status) : fallback(status);
}

function byCode(code: string | null, refusalCodes: readonly string[]): Meaning | undefined {
  if (code === null) return undefined;
  const word = code.toLowerCase();
  if (word.startsWith("guardrail") || refusalCodes.some((refusal) => refusal.toLowerCase() === word)) return refuse;
  return /^[45]\d\d$/.test(word) ? byStatus(Number(word)) : byWord.get(word);
}

/**
 * What the answer amounts to: its code first, then its type, then its HTTP error status; `null` if none of them says.
 * A refusing HTTP status stands whatever the words beside it are, unless they say that the provider's account is empty.
 */
export function meaningOf(answer: ProviderAnswer, refusalCodes: readonly string[] = []): Meaning | null {
  const { providerCode, providerType, httpStatus } = answer;
  const said = byCode(providerCode, refusalCodes) ?? byCode(providerType, refusalCodes);
  if (!isErrorStatus(httpStatus)) return said ?? null;
  if (isRefusalStatus(httpStatus) && said !== accountEmpty) return byStatus(httpStatus);
  return said ?? byStatus(httpStatus);
}

/** Did a gateway refuse by policy? Then the failure's reason is `refused`. An answer with `x-envoy-ratelimited` is one too. */
export function isRefusal(answer: ProviderAnswer, refusalCodes?: readonly string[]): boolean {
  return meaningOf(answer, refusalCodes)?.leadsTo === "refuse";
}

/** Is it the name of a failure? A stop reason that is one (`overloaded_error`) is no stop reason. */
export function isErrorCode(word: string): boolean {
  return byCode(word, []) !== undefined;
}

/** `failure.status`: what the words amount to, else the HTTP error status, else by reason (403 for a refusal in band). */
export function statusOf(
  reason: FailureReason,
  answer: ProviderAnswer,
  refusalCodes?: readonly string[],
): number | null {
  const meaning = meaningOf(answer, refusalCodes);
  if (meaning?.status) return meaning.status;
  if (isErrorStatus(answer.httpStatus)) return answer.httpStatus;
  return byReason[meaning?.leadsTo === "refuse" ? "refused" : reason].status;
}
