/** The rules against populations of calls, with seeded randomness: what each of them is there to bring about. */
import { describe, expect, it } from "vitest";
import { weightOf } from "../../src/policy/classify.ts";
import { breakerDefaults } from "../../src/policy/defaults.ts";
import { createHealthState } from "../../src/policy/health.ts";
import { failureOf, httpError } from "./failures.ts";
import { type Answer, Events, type Outcome, startCall, type World } from "./scripted-call.ts";

/** Mulberry32: small, seeded, good enough. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const RTT_MS = 60;

/** Log-normal first token with this median. */
function healthy(random: () => number, medianMs: number, sigma = 0.6): Answer {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return { afterMs: RTT_MS + medianMs * Math.exp(sigma * normal), headersMs: RTT_MS };
}

const down: Answer = { failure: httpError(503), afterMs: RTT_MS, headersMs: RTT_MS };

interface Run {
  readonly outcomes: readonly (Outcome & { startedAt: number })[];
  readonly openings: number;
  readonly firstOpenAt: number;
}

/** Poisson arrivals for so long; what is left over when they end is no part of the figures. */
function load(
  rps: number,
  lastsMs: number,
  seed: number,
  endpoints: (random: () => number) => World["endpoints"],
): Run {
  const random = seeded(seed);
  const events = new Events();
  const openedAt: number[] = [];
  const onChange = (endpoint: string, state: string) => {
    if (endpoint === "a" && state === "open" && events.now <= lastsMs) openedAt.push(events.now);
  };
  const world: World = {
    events,
    health: createHealthState(),
    random,
    endpoints: endpoints(random),
    health_: { onChange },
  };
  const outcomes: (Outcome & { startedAt: number })[] = [];
  const arrive = () => {
    outcomes.push(Object.assign(startCall(world), { startedAt: events.now }));
    const next = events.now - (Math.log(1 - random()) * 1_000) / rps;
    if (next < lastsMs) events.at(next, arrive);
  };
  events.at(0, arrive);
  events.run();
  return { outcomes, openings: openedAt.length, firstOpenAt: openedAt[0] ?? Number.POSITIVE_INFINITY };
}

const share = (outcomes: readonly Outcome[], of: (outcome: Outcome) => boolean) =>
  outcomes.filter(of).length / outcomes.length;
const requests = ({ outcomes }: Run) =>
  outcomes.reduce((sum, { attempts }) => sum + attempts.length, 0) / outcomes.length;

describe("an endpoint that fails 30 % of its attempts at 50 calls/s", () => {
  it("stays closed: its failures report in 60 ms and its successes at their first token", () => {
    const run = load(50, 120_000, 1, (random) => ({
      a: () => (random() < 0.3 ? down : healthy(random, 800)),
      b: () => healthy(random, 1_000),
    }));
    expect(run.openings).toBe(0);
    expect(share(run.outcomes, ({ served }) => served === "a")).toBeGreaterThan(0.65);
    expect(share(run.outcomes, ({ served }) => served === null)).toBe(0);
  });
});

describe("an endpoint that is down", () => {
  it.each([20, 50])("opens after little more than a second at %i calls/s, and no call is lost", (rps) => {
    const run = load(rps, 60_000, 2, (random) => ({ a: () => down, b: () => healthy(random, 1_000) }));
    expect(run.firstOpenAt).toBeGreaterThanOrEqual(1_000);
    expect(run.firstOpenAt).toBeLessThan(1_500);
    expect(share(run.outcomes, ({ served }) => served === "b")).toBe(1);
    expect(requests(run)).toBeLessThan(1.1);
  });

  it("opens by refused connections as well, since the backup's bytes prove that it is not the caller's network", () => {
    const refused: Answer = { failure: failureOf({ reason: "connection_failed" }), afterMs: 1 };
    const run = load(20, 30_000, 3, (random) => ({ a: () => refused, b: () => healthy(random, 1_000) }));
    expect(run.firstOpenAt).toBeLessThan(1_500);
    expect(share(run.outcomes, ({ served }) => served === "b")).toBe(1);
  });

  it("alone is never blocked: every call makes its attempt", () => {
    const run = load(20, 30_000, 4, () => ({ a: () => down }));
    expect(run.openings).toBeGreaterThan(0);
    expect(run.outcomes.every(({ attempts }) => attempts.length >= 1)).toBe(true);
  });

  it("and back again is closed by the first probe", () => {
    const run = load(20, 60_000, 5, (random) => ({
      a: (now) => (now < 3_000 ? down : healthy(random, 800)),
      b: () => healthy(random, 1_000),
    }));
    expect(run.openings).toBe(1);
    const later = run.outcomes.filter(({ startedAt }) => startedAt > 20_000);
    expect(share(later, ({ served }) => served === "a")).toBe(1);
  });
});

describe("an endpoint that is silent", () => {
  const timeout: Answer = { failure: failureOf({ reason: "timeout_first_token" }), afterMs: 30_000 };

  it.each([0.25, 1, 20])("is not waited for after its first minute at %d calls/s", (rps) => {
    const run = load(rps, 300_000, 6, (random) => ({ a: () => timeout, b: () => healthy(random, 1_000) }));
    const later = run.outcomes.filter(({ startedAt }) => startedAt > 60_000);
    expect(share(later, ({ attempts }) => attempts[0] === "a")).toBeLessThan(0.1);
    expect(share(run.outcomes, ({ served }) => served === "b")).toBe(1);
  });

  it("once in a hundred attempts is left closed", () => {
    const run = load(50, 60_000, 7, (random) => ({
      a: () => (random() < 0.01 ? timeout : healthy(random, 800)),
      b: () => healthy(random, 1_000),
    }));
    expect(run.openings).toBe(0);
  });
});

describe("a process that starts with a slow reasoning model and 10 % failures at 20 calls/s", () => {
  it("does not open, although ten seconds long there is no success", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const run = load(20, 15_000, seed, (random) => ({
        a: () => (random() < 0.1 ? down : healthy(random, 10_000, 0.2)),
        b: () => healthy(random, 1_000),
      }));
      expect(run.openings).toBe(0);
    }
  });
});

describe("a connection whose streams all die at once", () => {
  it("does not open it: one event is no outage", () => {
    const health = createHealthState();
    const lost = failureOf({ reason: "connection_lost", httpStatus: 200 });
    expect(weightOf(lost)).toBe(1);
    const options = { breaker: breakerDefaults, retryBudget: false as const, random: () => 0.5, onChange: () => {} };
    const streams = Array.from({ length: 400 }, (_, i) => {
      const ticket = health.callStarted(i * 20, options).begin("a", i * 20);
      ticket.opened(i * 20 + 800);
      return ticket;
    });
    for (const [i, stream] of streams.entries()) stream.failed(lost, 9_000 + i);
    expect(health.states(9_400)).toEqual({ a: "closed" });
  });
});

describe("the wait of a quota", () => {
  it("is spent at the backup: an endpoint that says when is left alone until then", () => {
    let admitted = 0;
    let refusals = 0;
    const run = load(20, 60_000, 8, (random) => ({
      // Twelve calls a second, and the rest is told to come back with the next one.
      a: (now) => {
        if (Math.floor(now / 1_000) * 12 >= admitted) {
          admitted++;
          return healthy(random, 800);
        }
        refusals++;
        return { failure: httpError(429, { retryAfterMs: 1_000 - (now % 1_000) }), afterMs: RTT_MS, headersMs: RTT_MS };
      },
      b: () => healthy(random, 1_000),
    }));
    expect(share(run.outcomes, ({ served }) => served === null)).toBe(0);
    expect(share(run.outcomes, ({ served }) => served === "a")).toBeGreaterThan(0.4);
    expect(refusals / run.outcomes.length).toBeLessThan(0.15);
    expect(run.outcomes.every(({ waits }) => waits.length === 0)).toBe(true);
  });
});
