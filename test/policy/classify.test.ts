import { describe, expect, it } from "vitest";
import type { Failure, FailureReason } from "../../src/base/failure.ts";
import { permits, provesNotExecuted, weightOf } from "../../src/policy/classify.ts";
import { restOf } from "../../src/policy/rest.ts";
import { failureOf, httpError, inBand } from "./failures.ts";

const RETRY = { retry: true, fallback: true };
const FALLBACK = { retry: false, fallback: true };
const END = { retry: false, fallback: false };

const withCode = (code: string) => Object.assign(new Error("x"), { code });

/** Every HTTP status that may fail a call, with what the text of the policy says of it. */
function expectedOf(status: number): object {
  if ([408, 425, 429, 502, 503, 504, 529].includes(status)) return RETRY;
  return status >= 500 && status < 600 ? FALLBACK : END;
}

describe("what an HTTP status permits", () => {
  it("is right for every status there is", () => {
    const statuses = [...Array(500).keys()].map((i) => i + 100).filter((status) => status < 200 || status > 203);
    for (const status of statuses) {
      expect({ status, ...permits(httpError(status)) }).toEqual({ status, ...expectedOf(status) });
    }
  });

  it("is the end for a redirect whatever its body says", () => {
    expect(permits(httpError(302, { providerType: "overloaded_error" }))).toEqual(END);
  });

  it("is the end for a redirect whose status a browser hides", () => {
    expect(permits(failureOf({ reason: "http_error", httpStatus: null }))).toEqual(END);
  });

  it("is a retry for 409 only if the server says when, or that it may be repeated", () => {
    expect(permits(httpError(409))).toEqual(END);
    expect(permits(httpError(409, { retryAfterMs: 0 }))).toEqual(RETRY);
    expect(permits(httpError(409, { shouldRetry: true }))).toEqual(RETRY);
    expect(permits(httpError(409, { shouldRetry: false }))).toEqual(END);
    expect(permits(httpError(409, { retryAfterMs: 500, shouldRetry: false }))).toEqual(FALLBACK);
  });
});

describe("x-should-retry", () => {
  it("false forbids a retry and never a fallback", () => {
    expect(permits(httpError(503, { shouldRetry: false }))).toEqual(FALLBACK);
    expect(permits(httpError(500, { shouldRetry: false }))).toEqual(FALLBACK);
    expect(permits(failureOf({ reason: "connection_lost", shouldRetry: false }))).toEqual(FALLBACK);
  });

  it("true permits a retry where the status alone would not", () => {
    expect(permits(httpError(500, { shouldRetry: true }))).toEqual(RETRY);
    expect(permits(httpError(400, { shouldRetry: true }))).toEqual({ retry: true, fallback: false });
    expect(permits(httpError(429, { providerCode: "insufficient_quota", shouldRetry: true }))).toEqual(RETRY);
  });

  it.each<[string, Failure]>([
    ["a refusal", failureOf({ reason: "refused", httpStatus: 429, shouldRetry: true })],
    ["401", httpError(401, { shouldRetry: true })],
    ["401 that the table calls 400", httpError(401, { providerType: "invalid_request_error", shouldRetry: true })],
    ["402", httpError(402, { shouldRetry: true })],
    ["403", httpError(403, { shouldRetry: true })],
    ["an abort", failureOf({ reason: "aborted", shouldRetry: true })],
    ["a redirect", httpError(307, { shouldRetry: true })],
    ["a deadline", failureOf({ reason: "timeout_gate", shouldRetry: true })],
  ])("true never overrides %s", (_, failure) => {
    expect(permits(failure)).toEqual(END);
  });
});

describe("what a reason permits and weighs", () => {
  const rows: readonly [FailureReason, object, number][] = [
    ["connection_failed", RETRY, 1],
    ["connection_lost", RETRY, 1],
    ["closed_before_terminal", RETRY, 1],
    ["empty", RETRY, 1],
    ["provider_error", FALLBACK, 1],
    ["malformed_event", FALLBACK, 1],
    ["abnormal_stop", FALLBACK, 1],
    ["too_large", FALLBACK, 1],
    ["not_a_stream", FALLBACK, 1],
    ["transport_timeout", FALLBACK, 1],
    ["timeout_connect", FALLBACK, 1],
    ["timeout_idle", FALLBACK, 1],
    ["timeout_stall", FALLBACK, 1],
    ["timeout_first_token", FALLBACK, 0],
    ["timeout_gate", END, 0],
    ["timeout_total", END, 0],
    ["timeout_consumer", END, 0],
    ["aborted", END, 0],
    ["configuration", END, 0],
    ["refused", END, 0],
    ["no_endpoint", END, 0],
    ["length", END, 0],
    ["content_filter", END, 0],
    ["paused", END, 0],
  ];
  it.each(rows)("%s: %j, weight %d", (reason, allowed, weight) => {
    const failure = failureOf({ reason, httpStatus: reason === "connection_failed" ? null : 200 });
    expect(permits(failure)).toEqual(allowed);
    expect(weightOf(failure)).toBe(weight);
  });

  it("weighs an HTTP failure by its status", () => {
    for (let status = 400; status < 600; status++) {
      const expected = status === 429 ? 0.5 : status === 408 || status === 425 || status >= 500 ? 1 : 0;
      expect([status, weightOf(httpError(status))]).toEqual([status, expected]);
    }
  });

  it("weighs an in-band failure by what it amounts to", () => {
    expect(weightOf(inBand({ providerType: "overloaded_error" }))).toBe(1);
    expect(weightOf(inBand({ providerCode: "rate_limit_exceeded" }))).toBe(0.5);
    expect(weightOf(inBand({ providerCode: "insufficient_quota" }))).toBe(0.5);
    expect(weightOf(inBand({ providerType: "invalid_request_error" }))).toBe(0);
    expect(weightOf(inBand({ providerType: "no_idea" }))).toBe(1);
  });
});

describe("a certificate that is not accepted", () => {
  it.each([
    "CERT_HAS_EXPIRED",
    "ERR_TLS_CERT_ALTNAME_INVALID",
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "HOSTNAME_MISMATCH",
    "CRL_HAS_EXPIRED",
  ])("%s falls back without a retry, proves that nothing ran, and counts", (code) => {
    const failure = failureOf({ reason: "connection_failed", cause: new TypeError("x", { cause: withCode(code) }) });
    expect(permits(failure)).toEqual(FALLBACK);
    expect(provesNotExecuted(failure)).toBe(true);
    expect(weightOf(failure)).toBe(1);
  });
});

describe("the proof that nothing was executed", () => {
  const connection = (cause: unknown) => provesNotExecuted(failureOf({ reason: "connection_failed", cause }));

  it.each([
    "ECONNREFUSED",
    "ENOTFOUND",
    "EAI_AGAIN",
    "EHOSTUNREACH",
    "ENETUNREACH",
    "UND_ERR_CONNECT_TIMEOUT",
    "EPROTO",
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "ConnectionRefused",
  ])("is %s on the chain of causes", (code) => {
    expect(connection(withCode(code))).toBe(true);
    expect(connection(new TypeError("fetch failed", { cause: withCode(code) }))).toBe(true);
    expect(connection(new AggregateError([withCode("ETIMEDOUT"), withCode(code)]))).toBe(true);
  });

  it("is a system call that belongs to connecting, whatever its code", () => {
    expect(connection(Object.assign(withCode("ETIMEDOUT"), { syscall: "connect" }))).toBe(true);
    expect(connection(Object.assign(withCode("ETIMEDOUT"), { syscall: "read" }))).toBe(false);
  });

  it.each(["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT", ""])(
    "is not %s: the request may have arrived",
    (code) => {
      expect(connection(withCode(code))).toBe(false);
    },
  );

  it("is looked for eight errors deep, on cyclic chains too", () => {
    const nested = (depth: number): unknown =>
      depth === 1 ? withCode("ECONNREFUSED") : new Error("x", { cause: nested(depth - 1) });
    expect(connection(nested(8))).toBe(true);
    expect(connection(nested(9))).toBe(false);
    const cyclic = new AggregateError([]);
    cyclic.cause = cyclic;
    cyclic.errors = Array.from({ length: 1_000 }, () => cyclic);
    expect(connection(cyclic)).toBe(false);
  });

  it.each([null, undefined, "ECONNREFUSED", 42, Symbol("x")])("is not a cause like %s", (cause) => {
    expect(connection(cause)).toBe(false);
  });

  it("is a refusal to take the request that came as an HTTP status, not in band", () => {
    for (const status of [429, 503, 529]) {
      expect(provesNotExecuted(httpError(status))).toBe(true);
      expect(provesNotExecuted(inBand({ providerCode: String(status) }))).toBe(false);
    }
    for (const status of [408, 409, 425, 500, 502, 504]) expect(provesNotExecuted(httpError(status))).toBe(false);
  });

  it("is a connect timeout, and no other limit or loss", () => {
    expect(provesNotExecuted(failureOf({ reason: "timeout_connect" }))).toBe(true);
    for (const reason of ["timeout_first_token", "connection_lost", "empty", "transport_timeout"] as const) {
      expect(provesNotExecuted(failureOf({ reason }))).toBe(false);
    }
    expect(provesNotExecuted(failureOf({ reason: "connection_lost", cause: withCode("ECONNREFUSED") }))).toBe(false);
  });
});

describe("rest", () => {
  it.each([429, 503, 529])("is what a %i with retry-after asks for, at most a minute", (status) => {
    expect(restOf(httpError(status, { retryAfterMs: 7_000 }))).toBe(7_000);
    expect(restOf(httpError(status, { retryAfterMs: 3_600_000 }))).toBe(60_000);
    expect(restOf(httpError(status))).toBe(0);
  });

  it("is known by the status on the wire too", () => {
    expect(restOf(httpError(529, { providerType: "overloaded_error", retryAfterMs: 1_000 }))).toBe(1_000);
    expect(restOf(httpError(500, { retryAfterMs: 1_000 }))).toBe(0);
  });

  it("is not given to a gateway that refuses: others would be preferred to its decision", () => {
    expect(restOf(failureOf({ reason: "refused", httpStatus: 429, retryAfterMs: 1_000 }))).toBe(0);
  });
});
