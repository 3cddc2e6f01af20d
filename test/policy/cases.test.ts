/** What public bug reports ask of the policy alone: the part of each committed case that needs no bytes. */
import { describe, expect, it } from "vitest";
import { permits, weightOf } from "../../src/policy/classify.ts";
import { breakerDefaults } from "../../src/policy/defaults.ts";
import { createHealthState } from "../../src/policy/health.ts";
import { retryAfterMs } from "../../src/policy/retry-after.ts";
import { failureOf, httpError, inBand } from "./failures.ts";
import { type Answer, Events, type Outcome, startCall, type World } from "./scripted-call.ts";

const rateLimited = httpError(429, { providerType: "rate_limit_error", providerCode: "rate_limit_exceeded" });
const ok: Answer = { afterMs: 20 };
const fails = (failure: NonNullable<Answer["failure"]>): Answer => ({ failure, afterMs: 10 });

/** An endpoint that gives these answers in turn, the last one for ever. */
function inTurn(...answers: readonly Answer[]): () => Answer {
  let request = 0;
  return () => answers[Math.min(request++, answers.length - 1)] as Answer;
}

function oneCall(part: Omit<World, "events" | "health">): Outcome {
  const events = new Events();
  const outcome = startCall({ ...part, events, health: createHealthState() });
  events.run();
  return outcome;
}

/** As the headers of a response that came at noon. */
const NOON = Date.UTC(2026, 10, 4, 12);
const headerMs = (retryAfter: string) =>
  retryAfterMs({ retryAfterMs: null, retryAfter, date: new Date(NOON).toUTCString() }, NOON);

describe("in-band failures", () => {
  const backup = { a: undefined as never, b: () => ok };
  const alone = { retry: { maxRetries: 0 } };

  it("B020: an overload as the first event counts for the breaker and is answered by the backup", () => {
    const overloaded = inBand({ providerType: "overloaded_error" });
    expect(overloaded.status).toBe(503);
    expect(weightOf(overloaded)).toBe(1);
    const outcome = oneCall({ ...alone, endpoints: { ...backup, a: () => fails(overloaded) } });
    expect(outcome).toMatchObject({ served: "b", attempts: ["a", "b"] });
    expect(oneCall({ ...alone, endpoints: { a: () => fails(overloaded) } })).toMatchObject({
      served: null,
      failure: { providerType: "overloaded_error" },
    });
  });

  it("B021: an empty quota is 429, not asked again, and answered by the backup", () => {
    const quota = inBand({ providerCode: "insufficient_quota" });
    expect(quota.status).toBe(429);
    expect(oneCall({ endpoints: { ...backup, a: () => fails(quota) } }).attempts).toEqual(["a", "b"]);
    expect(oneCall({ endpoints: { a: () => fails(quota) } }).attempts).toEqual(["a"]);
  });

  it("B022: an overload after the role chunk is a failure for the breaker and no success", () => {
    const busy = inBand({ providerType: "service_unavailable_error", providerCode: "server_is_overloaded" });
    const events = new Events();
    const health = createHealthState();
    const endpoints = { a: () => ({ ...fails(busy), headersMs: 5 }), b: () => ok };
    for (let i = 0; i < 5; i++)
      events.at(i * 400, () => expect(startCall({ events, health, endpoints }).attempts[0]).toBe("a"));
    events.run();
    expect(health.states(events.now)).toEqual({ a: "open", b: "closed" });
  });

  it("B023, B024: after output they are what they amount to", () => {
    expect(inBand({ providerCode: "server_error" }).status).toBe(500);
    expect(inBand({ providerType: "overloaded_error" }).status).toBe(503);
  });

  it("B026: an error that names nothing known is 502 and may fall back", () => {
    const unknown = inBand({ providerMessage: "quota exceeded" });
    expect(unknown.status).toBe(502);
    expect(permits(unknown)).toEqual({ retry: false, fallback: true });
  });
});

describe("retries", () => {
  it("B054: ten calls against nothing but 429 make twelve requests, and the budget is known to have ended them", () => {
    const events = new Events();
    const outcomes: Outcome[] = [];
    const world: World = {
      events,
      health: createHealthState(),
      endpoints: { a: () => fails(rateLimited) },
      retry: { maxRetries: 2, baseDelayMs: 2 },
      health_: { retryBudget: { ratio: 0.2, minPerWindow: 2, windowMs: 60_000 } },
    };
    for (let i = 0; i < 10; i++) {
      outcomes.push(startCall(world));
      events.run();
    }
    expect(outcomes.flatMap(({ attempts }) => attempts)).toHaveLength(12);
    expect(outcomes.map(({ budgetExhausted }) => budgetExhausted)).toEqual([false, ...Array(9).fill(true)]);
    expect(outcomes.every(({ failure }) => failure === rateLimited)).toBe(true);
  });

  it("B057: a date in the past means at once, not after the back-off", () => {
    const later = httpError(503, { retryAfterMs: headerMs(new Date(NOON - 60_000).toUTCString()) });
    const outcome = oneCall({ endpoints: { a: inTurn(fails(later), ok) }, retry: { maxRetries: 1 } });
    expect(outcome).toMatchObject({ served: "a", attempts: ["a", "a"], waits: [0] });
  });

  it("B058: retry-after 0 is valid, and means at once", () => {
    const soon = { ...rateLimited, retryAfterMs: headerMs("0") };
    const outcome = oneCall({ endpoints: { a: inTurn(fails(soon), ok) }, retry: { maxRetries: 1 } });
    expect(outcome).toMatchObject({ served: "a", attempts: ["a", "a"], waits: [0] });
  });

  it("B059: a second is a second; one that the deadline does not leave ends the call at once", () => {
    const slow = { ...rateLimited, retryAfterMs: headerMs("1") };
    expect(slow.retryAfterMs).toBe(1_000);
    const outcome = oneCall({ endpoints: { a: inTurn(fails(slow), ok) }, retry: { maxRetries: 3 }, deadlineMs: 250 });
    expect(outcome).toMatchObject({ served: null, attempts: ["a"], waits: [], endedAt: 10, failure: slow });
  });
});

describe("the breaker", () => {
  it("B060: an abandoned probe loses its place with its lease, and its late result changes nothing", () => {
    const health = createHealthState();
    const breaker = { ...breakerDefaults, consecutiveFailures: 2, openMs: 60, minSpanMs: 0 };
    const call = (now: number) =>
      health.callStarted(now, { breaker, retryBudget: false, random: () => 0.5, onChange: () => {} });
    call(0).begin("a", 0).failed(httpError(503), 0);
    call(1).begin("a", 1).failed(httpError(503), 1);
    expect(health.states(1)).toEqual({ a: "open" });

    const abandoned = call(81).begin("a", 81);
    abandoned.heard(82);
    expect(call(82).standing("a", 82)).toBe("breaker_open");

    const fourth = call(161);
    expect(fourth.standing("a", 161)).toBe("usable");
    fourth.begin("a", 161).opened(170);
    expect(health.states(170)).toEqual({ a: "closed" });
    abandoned.failed(failureOf({ reason: "timeout_first_token", httpStatus: 200 }), 120_081);
    expect(health.states(120_081)).toEqual({ a: "closed" });
  });
});

describe("the model's own endings", () => {
  it("B062: a content filter or a length stop is nobody's failure and leads nowhere", () => {
    for (const reason of ["content_filter", "length", "paused"] as const) {
      const failure = failureOf({ reason, httpStatus: 200 });
      expect(permits(failure)).toEqual({ retry: false, fallback: false });
      expect(weightOf(failure)).toBe(0);
    }
  });
});
