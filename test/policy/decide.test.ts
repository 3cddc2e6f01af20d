import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Failure, FailureReason } from "../../src/base/failure.ts";
import { askPolicy } from "../../src/policy/ask.ts";
import { classicPolicy } from "../../src/policy/classic.ts";
import { permits } from "../../src/policy/classify.ts";
import { decide, isBudgetExhausted, type RetrySettings } from "../../src/policy/decide.ts";
import { retryDefaults } from "../../src/policy/defaults.ts";
import type { PolicyInput } from "../../src/policy/options.ts";
import { byReason } from "../../src/policy/reasons.ts";
import { failureOf, httpError, inBand } from "./failures.ts";

const settings: RetrySettings = { ...retryDefaults, minAttemptMs: 500 };
const unavailable = httpError(503);

const inputOf = (failure: Failure, part: Partial<PolicyInput> = {}): PolicyInput => ({
  failure,
  endpoint: "a",
  attemptsHere: 1,
  endpointsLeft: 0,
  remainingMs: 300_000,
  budgetLeft: true,
  random: 0.5,
  ...part,
});

describe("while another usable endpoint is left", () => {
  const another = { endpointsLeft: 1 };

  it("a failure moves there at once", () => {
    expect(decide(inputOf(unavailable, another), settings)).toEqual({ action: "fallback" });
  });

  it("the endpoint is retried first by those who ask for it, as often as they ask", () => {
    const keen = { ...settings, beforeFallback: 2 };
    const actions = [1, 2, 3].map(
      (attemptsHere) => decide(inputOf(unavailable, { ...another, attemptsHere }), keen).action,
    );
    expect(actions).toEqual(["retry", "retry", "fallback"]);
  });

  it("nobody waits in line for it", () => {
    const keen = { ...settings, beforeFallback: 1 };
    const asks = (retryAfterMs: number) => decide(inputOf(httpError(429, { retryAfterMs }), another), keen);
    expect(asks(1)).toEqual({ action: "fallback" });
    expect(asks(0)).toEqual({ action: "retry", delayMs: 0 });
  });

  it("a retry that the budget denies moves there", () => {
    const keen = { ...settings, beforeFallback: 1 };
    const input = inputOf(unavailable, { ...another, budgetLeft: false });
    expect(decide(input, keen)).toEqual({ action: "fallback" });
    expect(isBudgetExhausted(input, keen)).toBe(false);
  });

  it("a failure that forbids a fallback is still treated as at the last endpoint", () => {
    const failure = httpError(400, { shouldRetry: true });
    expect(decide(inputOf(failure, another), settings)).toEqual({ action: "retry", delayMs: 1_000 });
    expect(decide(inputOf(failure, { ...another, attemptsHere: 3 }), settings)).toEqual({ action: "end" });
  });
});

describe("at the last usable endpoint", () => {
  it("it is retried twice and then the call ends", () => {
    const actions = [1, 2, 3].map((attemptsHere) => decide(inputOf(unavailable, { attemptsHere }), settings).action);
    expect(actions).toEqual(["retry", "retry", "end"]);
  });

  it.each([
    [1, 0, 500],
    [1, 0.5, 1_000],
    [1, 0.999, 1_499],
    [2, 0.5, 2_000],
    [4, 0.5, 8_000],
    [5, 0.5, 8_000],
    [5, 0, 4_000],
    [2_000, 0.5, 8_000],
  ])("the wait after attempt %i with random %d is %d ms", (attemptsHere, random, delayMs) => {
    const patient = { ...settings, maxRetries: Number.POSITIVE_INFINITY };
    const decision = decide(inputOf(unavailable, { attemptsHere, random }), patient);
    expect(decision).toEqual({ action: "retry", delayMs: expect.closeTo(delayMs, 6) });
  });

  it("a wait that leaves too little of the deadline is not begun", () => {
    expect(decide(inputOf(unavailable, { remainingMs: 1_500 }), settings).action).toBe("retry");
    expect(decide(inputOf(unavailable, { remainingMs: 1_499 }), settings)).toEqual({ action: "end" });
  });

  it("a denied retry ends the call, and it is known that the budget did", () => {
    const denied = inputOf(unavailable, { budgetLeft: false });
    expect(decide(denied, settings)).toEqual({ action: "end" });
    expect(isBudgetExhausted(denied, settings)).toBe(true);
    expect(isBudgetExhausted({ ...denied, attemptsHere: 3 }, settings)).toBe(false);
    expect(isBudgetExhausted({ ...denied, budgetLeft: true }, settings)).toBe(false);
    expect(isBudgetExhausted({ ...denied, failure: httpError(400) }, settings)).toBe(false);
  });
});

describe("retry-after at the last usable endpoint", () => {
  const asks = (retryAfterMs: number, part: Partial<PolicyInput> = {}) =>
    decide(inputOf(httpError(429, { retryAfterMs }), part), settings);

  it("is waited for instead of the back-off, and up to a quarter longer", () => {
    expect(asks(2_000, { random: 0 })).toEqual({ action: "retry", delayMs: 2_000 });
    expect(asks(2_000, { random: 0.999 })).toEqual({ action: "retry", delayMs: expect.closeTo(2_499.5, 6) });
  });

  it("is waited for up to five seconds", () => {
    expect(asks(5_000).action).toBe("retry");
    expect(asks(5_001)).toEqual({ action: "end" });
  });

  it("is never cut short: what does not fit the deadline ends the call at once", () => {
    expect(asks(1_000, { remainingMs: 1_500, random: 0.999 })).toEqual({ action: "retry", delayMs: 1_000 });
    expect(asks(1_000, { remainingMs: 1_499 })).toEqual({ action: "end" });
  });

  it("does not permit a retry that the failure does not", () => {
    expect(decide(inputOf(httpError(429, { retryAfterMs: 0, providerCode: "insufficient_quota" })), settings)).toEqual({
      action: "end",
    });
  });
});

describe("for every failure there is", () => {
  const reasons = Object.keys(byReason) as FailureReason[];
  const failure = fc
    .record({
      reason: fc.constantFrom(...reasons),
      httpStatus: fc.option(fc.oneof(fc.integer({ min: 100, max: 599 }), fc.integer())),
      providerCode: fc.option(fc.oneof(fc.string(), fc.constantFrom("rate_limit_error", "402", "guardrail_x"))),
      providerType: fc.option(fc.oneof(fc.string(), fc.constantFrom("overloaded_error", "api_error"))),
      retryAfterMs: fc.option(fc.oneof(fc.nat(), fc.double({ min: 0, noNaN: true }))),
      shouldRetry: fc.option(fc.boolean()),
      cause: fc.anything(),
    })
    .map(failureOf);
  const input = fc.record({
    failure,
    endpoint: fc.string(),
    attemptsHere: fc.oneof(fc.nat({ max: 10 }), fc.nat()),
    endpointsLeft: fc.nat({ max: 4 }),
    remainingMs: fc.oneof(fc.double(), fc.integer({ min: -10, max: 20_000 })),
    budgetLeft: fc.boolean(),
    random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  });
  const anySettings = fc
    .record({
      maxRetries: fc.nat({ max: 5 }),
      beforeFallback: fc.nat({ max: 5 }),
      minAttemptMs: fc.nat({ max: 2_000 }),
    })
    .map((part) => ({ ...settings, ...part }));

  it("there is one decision, and it keeps to what is permitted, left and affordable", () => {
    fc.assert(
      fc.property(input, anySettings, (given, chosen) => {
        const decision = decide(given, chosen);
        const { retry, fallback } = permits(given.failure);
        if (decision.action === "fallback") expect(fallback && given.endpointsLeft > 0).toBe(true);
        if (decision.action === "end") expect(fallback && given.endpointsLeft > 0).toBe(false);
        if (decision.action !== "retry") return;
        expect(retry && given.budgetLeft).toBe(true);
        expect(given.attemptsHere).toBeLessThanOrEqual(Math.max(chosen.maxRetries, chosen.beforeFallback));
        expect(decision.delayMs).toBeGreaterThanOrEqual(given.failure.retryAfterMs ?? 0);
        expect(decision.delayMs + chosen.minAttemptMs).toBeLessThanOrEqual(given.remainingMs + 1e-6);
      }),
      { numRuns: 2_000 },
    );
  });

  it("a policy of the caller's that throws or talks nonsense means the default one", () => {
    const nonsense = fc.oneof(
      fc.anything(),
      fc.record({ action: fc.anything() }),
      fc.record({ action: fc.constant("retry"), delayMs: fc.anything() }),
    );
    fc.assert(
      fc.property(input, nonsense, fc.boolean(), (given, answer: any, throws) => {
        const policy = () => {
          if (throws) throw answer;
          return answer;
        };
        const { decision, broken } = askPolicy(policy, given, settings);
        const fine =
          !throws &&
          (["fallback", "end"].includes(answer?.action) ||
            (answer?.action === "retry" && Number.isFinite(answer.delayMs) && answer.delayMs >= 0));
        expect(broken).toBe(!fine);
        expect(decision).toEqual(fine ? answer : decide(given, settings));
      }),
    );
  });
});

describe("a policy of the caller's", () => {
  it("has the last word and may ask for the default with other facts", () => {
    const input = inputOf(unavailable);
    const eager = askPolicy(() => ({ action: "retry", delayMs: 7 }), inputOf(httpError(400)), settings);
    expect(eager).toEqual({ decision: { action: "retry", delayMs: 7 }, broken: false });
    const curious = askPolicy((given, next) => next({ ...given, endpointsLeft: 1 }), input, settings);
    expect(curious).toEqual({ decision: { action: "fallback" }, broken: false });
  });

  it("is not needed", () => {
    expect(askPolicy(undefined, inputOf(inBand({})), settings)).toEqual({ decision: { action: "end" }, broken: false });
  });

  it("that promises a decision has made none", async () => {
    const promised: any = async () => ({ action: "end" });
    expect(askPolicy(promised, inputOf(unavailable), settings)).toEqual({
      decision: { action: "retry", delayMs: 1_000 },
      broken: true,
    });
  });
});

describe("the classic gateway order", () => {
  const classic: RetrySettings = { ...settings, ...(classicPolicy.retry as object) };

  it("retries once at the same endpoint after 200 ms, then falls back at most twice, without a hedge", () => {
    const path: string[] = [];
    for (let endpoint = 0; endpoint < 3; endpoint++) {
      const endpointsLeft = Math.min(9 - endpoint, (classicPolicy.fallback.maxFallbacks ?? 0) - endpoint);
      for (let attemptsHere = 1; ; attemptsHere++) {
        const decision = decide(inputOf(unavailable, { endpointsLeft, attemptsHere }), classic);
        path.push(decision.action === "retry" ? `retry after ${decision.delayMs}` : decision.action);
        if (decision.action !== "retry") break;
      }
    }
    expect(path).toEqual(["retry after 200", "fallback", "retry after 200", "fallback", "retry after 200", "end"]);
    expect(classicPolicy.retry.maxAttempts).toBe(path.length);
    expect(classicPolicy.hedge).toBe(false);
  });

  it("varies its waits by half, up to two seconds", () => {
    const patient = { ...classic, maxRetries: 10 };
    const waits = [1, 2, 3, 4, 5, 6].map((attemptsHere) =>
      decide(inputOf(unavailable, { attemptsHere, random: 0 }), patient),
    );
    expect(waits.map((wait) => wait.action === "retry" && wait.delayMs)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });
});
