import { describe, expect, it } from "vitest";
import { permits } from "../../src/policy/classify.ts";
import { isErrorCode, isRefusal, meaningOf, statusOf } from "../../src/policy/provider-codes.ts";
import { inBand } from "./failures.ts";

const answer = (providerCode: string | null, providerType: string | null = null, httpStatus: number | null = 200) => ({
  providerCode,
  providerType,
  httpStatus,
});

const RETRY = { retry: true, fallback: true };
const FALLBACK = { retry: false, fallback: true };
const END = { retry: false, fallback: false };

const TABLE = [
  ["too_many_requests", 429, RETRY],
  ["rate_limit_exceeded", 429, RETRY],
  ["rate_limit_error", 429, RETRY],
  ["no_capacity", 429, RETRY],
  ["insufficient_quota", 429, FALLBACK],
  ["credit_balance_exhausted", 429, FALLBACK],
  ["billing_error", 429, FALLBACK],
  ["server_error", 500, FALLBACK],
  ["api_error", 500, FALLBACK],
  ["overloaded_error", 503, RETRY],
  ["server_is_overloaded", 503, RETRY],
  ["service_unavailable", 503, RETRY],
  ["service_unavailable_error", 503, RETRY],
  ["unavailable", 503, RETRY],
  ["stream_stalled", 503, RETRY],
  ["stream_interrupted", 503, RETRY],
  ["provider_disconnect", 503, RETRY],
  ["timeout_error", 504, RETRY],
  ["authentication_error", 401, END],
  ["permission_error", 403, END],
  ["permission_denied", 403, END],
  ["not_found_error", 404, END],
  ["request_too_large", 413, END],
  ["invalid_request_error", 400, END],
  ["invalid_prompt", 400, END],
  ["context_length_exceeded", 400, END],
  ["content_filter", 400, END],
  ["model_not_allowed", 403, END],
  ["budget_exceeded", 403, END],
  ["guardrail", 403, END],
  ["guardrail_violation", 403, END],
  ["guardrails_blocked", 403, END],
  ["something_else", 502, FALLBACK],
] as const;

describe("the table of provider codes", () => {
  it.each(TABLE)("%s is %i as a code, as a type and in any case", (word, status, allowed) => {
    for (const words of [
      { providerCode: word },
      { providerType: word },
      { providerCode: word.toUpperCase() },
      { providerCode: "unknown", providerType: word },
    ]) {
      const failure = inBand(words);
      expect(failure.status).toBe(status);
      expect(permits(failure)).toEqual(allowed);
    }
  });

  it("looks the code up before the type", () => {
    expect(statusOf("provider_error", answer("rate_limit_exceeded", "invalid_request_error"))).toBe(429);
    expect(statusOf("provider_error", answer("invalid_prompt", "overloaded_error"))).toBe(400);
  });

  it("says more than the HTTP status does", () => {
    expect(statusOf("http_error", answer("insufficient_quota", null, 403))).toBe(429);
    expect(statusOf("http_error", answer(null, "overloaded_error", 529))).toBe(503);
    expect(statusOf("http_error", answer("who_knows", "what_is_this", 418))).toBe(418);
  });

  it.each([
    ["400", 400],
    ["429", 429],
    ["503", 503],
    ["599", 599],
  ])("reads the code %s as an HTTP status", (code, status) => {
    expect(meaningOf(answer(code))?.status).toBe(status);
  });

  it.each(["399", "600", "0", "4290", "42", "-429", "4e2", "429.0", " 429"])("does not read %j as one", (code) => {
    expect(meaningOf(answer(code))).toBeNull();
  });

  it("takes Gemini's status for a type: its numeric code says the same", () => {
    expect(statusOf("provider_error", answer("429", "RESOURCE_EXHAUSTED"))).toBe(429);
    expect(statusOf("provider_error", answer(null, "UNAVAILABLE"))).toBe(503);
    expect(statusOf("provider_error", answer(null, "PERMISSION_DENIED"))).toBe(403);
  });

  it.each(["__proto__", "constructor", "toString", ""])("knows nothing of %j", (word) => {
    expect(meaningOf(answer(word, word))).toBeNull();
  });
});

describe("a gateway's refusal", () => {
  it.each([
    ["a built-in code", answer("model_not_allowed", null, 403), []],
    ["a guardrail by prefix", answer(null, "GUARDRAIL_input", 400), []],
    ["a code of the endpoint's own, in any case", answer("Tenant_Blocked", null, 429), ["tenant_blocked"]],
    ["an own code that the table knows otherwise", answer("insufficient_quota", null, 429), ["insufficient_quota"]],
    ["HTTP 402", answer(null, null, 402), []],
    ["HTTP 446", answer(null, "hooks_failed", 446), []],
    ["402 in band", answer("402"), []],
    ["HTTP 402 with a word that would lead elsewhere", answer("server_error", null, 402), []],
  ])("is %s", (_, given, refusalCodes) => {
    expect(isRefusal(given, refusalCodes)).toBe(true);
  });

  it("keeps the status that was given, and is 403 without one", () => {
    expect(statusOf("refused", answer("budget_exceeded", null, 402))).toBe(402);
    expect(statusOf("refused", answer("guardrail_hit", null, 446))).toBe(446);
    expect(statusOf("refused", answer("budget_exceeded", null, 429))).toBe(429);
    expect(statusOf("refused", answer("tenant_blocked", null, 200), ["tenant_blocked"])).toBe(403);
    expect(statusOf("refused", answer("402"))).toBe(402);
  });

  it("is not a provider whose own account is empty, whatever the status", () => {
    const given = answer(null, "billing_error", 402);
    expect(isRefusal(given)).toBe(false);
    expect(statusOf("http_error", given)).toBe(429);
  });

  it("is no provider's answer", () => {
    for (const code of ["rate_limit_exceeded", "authentication_error", "content_filter", "unknown", "403"]) {
      expect(isRefusal(answer(code))).toBe(false);
    }
  });
});

describe("the status by reason", () => {
  it.each([
    ["empty", 502],
    ["not_a_stream", 502],
    ["malformed_event", 502],
    ["too_large", 502],
    ["abnormal_stop", 502],
    ["closed_before_terminal", 502],
    ["provider_error", 502],
    ["connection_failed", 503],
    ["connection_lost", 503],
    ["no_endpoint", 503],
    ["timeout_connect", 504],
    ["timeout_first_token", 504],
    ["timeout_idle", 504],
    ["timeout_stall", 504],
    ["timeout_gate", 504],
    ["timeout_total", 504],
    ["transport_timeout", 504],
    ["configuration", 500],
    ["refused", 403],
    ["aborted", null],
  ] as const)("%s is %s although the headers said 200", (reason, status) => {
    expect(statusOf(reason, answer(null))).toBe(status);
    expect(statusOf(reason, answer(null, null, null))).toBe(status);
  });

  it.each([101, 204, 205, 302, 307, 600, 999])("HTTP %i is no error status: 502", (httpStatus) => {
    expect(statusOf("http_error", answer(null, null, httpStatus))).toBe(502);
  });
});

it("tells a stop reason that names a failure from one that does not", () => {
  expect(isErrorCode("overloaded_error")).toBe(true);
  expect(isErrorCode("MALFORMED_FUNCTION_CALL")).toBe(false);
});
