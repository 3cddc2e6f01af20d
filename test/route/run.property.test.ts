/** What holds for a call whatever its endpoints do: any script of behaviours, any options, on virtual time. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyWorld, NAMES, type Outcome, play, type Seen, type Told, type World, whoServes } from "./any-providers.ts";

/** Against any world; a counterexample is printed with its seed and can be replayed. */
const always = (check: (outcome: Outcome, world: World) => void | Promise<void>, numRuns = 150) =>
  fc.assert(
    fc.asyncProperty(anyWorld, async (world) => check(await play(world), world)),
    { numRuns },
  );

const eachCall = (check: (call: Seen, world: World) => void) =>
  always((outcome, world) => {
    for (const call of outcome.calls) check(call, world);
  });

const timesOf = ({ told }: Seen, what: Told["what"]) => told.filter((each) => each.what === what).map(({ at }) => at);

test("one attempt at most reaches the consumer, and nothing of a failed one does", () =>
  eachCall(({ text, attempts }) => {
    const sources = new Set(text.match(/[abc]\d/g));
    expect(sources.size).toBeLessThanOrEqual(1);
    const served = attempts.filter(({ gate }) => gate === "opened" || gate === "overflow");
    expect(served.length).toBeLessThanOrEqual(1);
    for (const source of sources) expect(served[0]?.endpoint).toBe(source[0]);
  }));

test("no attempt starts after output, or past the deadline", () =>
  eachCall((call, { gateMs, totalMs }) => {
    const [output = Infinity] = timesOf(call, "firstOutput");
    const [, ...later] = timesOf(call, "attemptStart");
    for (const at of later) {
      expect(at).toBeLessThanOrEqual(output);
      expect(at - call.startedAt).toBeLessThanOrEqual(Math.min(gateMs, totalMs) - 500);
    }
    const order = call.told.map(({ what }) => what);
    const first = order.indexOf("firstOutput");
    if (first >= 0) expect(order.slice(first)).not.toContain("attemptStart");
  }));

test("an endpoint is asked once and retried no more often than allowed; a call has its own bound", () =>
  eachCall(({ attempts }, { maxRetries, beforeFallback, maxAttempts }) => {
    expect(attempts.length).toBeLessThanOrEqual(maxAttempts);
    for (const name of NAMES) {
      const here = attempts.filter(({ endpoint }) => endpoint === name);
      expect(here.length).toBeLessThanOrEqual(1 + Math.max(maxRetries, beforeFallback));
      expect(here.filter(({ kind }) => kind !== "retry").length).toBeLessThanOrEqual(1);
    }
  }));

test("each start has one end: attempts within their call, and the record knows how each of them ended", () =>
  eachCall(({ told, attempts }) => {
    const order = told.map(({ what }) => what);
    expect(order[0]).toBe("callStart");
    expect(order.indexOf("callEnd")).toBe(order.length - 1);
    expect(order.filter((what) => what === "callStart")).toHaveLength(1);
    for (const { index } of attempts) {
      const own = told.filter((each) => each.index === index && each.what !== "firstOutput").map(({ what }) => what);
      expect(own).toEqual(["attemptStart", "attemptEnd"]);
    }
    expect(attempts.map(({ outcome }) => outcome)).not.toContain(null);
  }));

test("a call settles by its deadlines, or when its caller gives up", () =>
  eachCall(({ startedAt, settledAt, told, attempts }, { totalMs, gateMs, abortAtMs }) => {
    const tookMs = settledAt - startedAt;
    expect(tookMs).toBeLessThanOrEqual(Math.min(totalMs, abortAtMs ?? Infinity));
    if (!attempts.some(({ gate }) => gate === "opened")) expect(tookMs).toBeLessThanOrEqual(gateMs);
    expect(told.at(-1)?.at).toBeLessThanOrEqual(settledAt);
  }));

test("nothing is left behind: no timer, no listener on the caller's signal", () =>
  always(({ calls, pending }) => {
    expect(pending).toBe(0);
    for (const { listeners } of calls) expect(listeners).toBe(0);
  }));

test("no probe is leaked: an endpoint whose open time is over is asked by the next call", () =>
  always(async (outcome, world) => {
    const states = outcome.health.states();
    for (const name of NAMES.slice(0, world.endpoints.length)) {
      if (states[name] === "half_open") expect(await whoServes(outcome, name)).toBe(name);
    }
    // However long it was open for: at most 300 s and a fifth.
    await outcome.clock.advance(360_000);
    for (const name of NAMES.slice(0, world.endpoints.length)) expect(await whoServes(outcome, name)).toBe(name);
  }));
