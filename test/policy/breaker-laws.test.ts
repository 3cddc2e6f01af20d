import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Breaker, type Trial } from "../../src/policy/breaker.ts";
import { breakerDefaults } from "../../src/policy/defaults.ts";

/** Whatever happens to attempts, in whatever order: a breaker is driven through any such script. */
const step = fc.record({
  wait: fc.oneof(fc.constant(0), fc.nat({ max: 500 }), fc.nat({ max: 30_000 })),
  act: fc.constantFrom(
    "begin",
    "begin",
    "begin",
    "succeeded",
    "failed",
    "half",
    "weightless",
    "silent",
    "released",
    "slept",
    "heard",
  ),
  which: fc.nat(),
});
const script = fc.array(step, { maxLength: 200 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const settings = fc
  .record({
    consecutiveFailures: fc.integer({ min: 1, max: 6 }),
    minSpanMs: fc.constantFrom(0, 100, 1_000),
    minCalls: fc.integer({ min: 2, max: 12 }),
    silentAttempts: fc.integer({ min: 1, max: 4 }),
    openMs: fc.integer({ min: 1, max: 10_000 }),
  })
  .map((part) => ({ ...breakerDefaults, ...part }));

type Act = { readonly act: string; readonly now: number; readonly trial: Trial | null; readonly breaker: Breaker };

function perform(breaker: Breaker, act: string, trial: Trial, now: number, jitter: () => number): void {
  if (act === "succeeded") breaker.succeeded(trial, now);
  if (act === "failed") breaker.failed(trial, 1, now, now, jitter);
  if (act === "half") breaker.failed(trial, 0.5, now, now, jitter);
  if (act === "weightless") breaker.failed(trial, 0, now, now, jitter);
  if (act === "silent") breaker.silent(trial, now, now, jitter);
  if (act === "released") breaker.released(trial);
}

/** Plays the script and shows every moment to `check`. Trials stay in play after their end: results may come twice and late. */
function play(
  breaker: Breaker,
  steps: readonly { wait: number; act: string; which: number }[],
  jitter: () => number,
  check: (before: { usableAt: number; state: string }, after: Act) => void,
): number {
  const trials: Trial[] = [];
  let now = 0;
  for (const { wait, act, which } of steps) {
    now += wait;
    const before = { usableAt: breaker.usableAt, state: breaker.state(now) };
    let trial = trials[which % trials.length] ?? null;
    if (act === "begin") {
      trial = breaker.begin(now);
      trials.push(trial);
    } else if (act === "slept") breaker.slept();
    else if (act === "heard") breaker.heard(now);
    else if (trial) perform(breaker, act, trial, now, jitter);
    check(before, { act, now, trial, breaker });
  }
  return now;
}

describe("whatever happens, the breaker", () => {
  it("never blocks for longer than five minutes and the jitter", () => {
    fc.assert(
      fc.property(settings, script, random, (chosen, steps, jitter) => {
        play(
          new Breaker(chosen),
          steps,
          () => jitter,
          (_, { breaker, now }) => {
            expect(breaker.usableAt - now).toBeLessThanOrEqual(360_000);
          },
        );
      }),
    );
  });

  it("never leaks a probe: once its time is over the next attempt is one, and its success closes", () => {
    fc.assert(
      fc.property(settings, script, random, (chosen, steps, jitter) => {
        const breaker = new Breaker(chosen);
        const end = play(
          breaker,
          steps,
          () => jitter,
          () => {},
        );
        const later = Math.max(end, breaker.usableAt);
        const wasClosed = breaker.state(later) === "closed";
        const trial = breaker.begin(later);
        expect(trial.isProbe).toBe(!wasClosed);
        breaker.succeeded(trial, later);
        expect(breaker.state(later)).toBe("closed");
      }),
    );
  });

  it("lets one probe in per lease", () => {
    fc.assert(
      fc.property(settings, script, random, (chosen, steps, jitter) => {
        play(
          new Breaker(chosen),
          steps,
          () => jitter,
          (before, { act, trial, now, breaker }) => {
            if (act !== "begin") return;
            expect(trial?.isProbe).toBe(before.state === "half_open" && now >= before.usableAt);
            if (trial?.isProbe) expect(breaker.usableAt).toBeGreaterThan(now);
          },
        );
      }),
    );
  });

  it("changes nothing for a result that is older than its present state", () => {
    fc.assert(
      fc.property(settings, script, random, (chosen, steps, jitter) => {
        const breaker = new Breaker(chosen);
        const old = breaker.begin(0);
        for (let i = 0; i < 6; i++) breaker.failed(breaker.begin(0), 1, 1_000 * i, 1_000 * i, () => jitter);
        expect(breaker.state(5_000)).not.toBe("closed");
        const end = play(
          breaker,
          steps,
          () => jitter,
          () => {},
        );
        const before = [breaker.state(end), breaker.usableAt];
        for (const act of ["succeeded", "failed", "half", "weightless", "silent", "released"]) {
          perform(breaker, act, old, end, () => jitter);
          expect([breaker.state(end), breaker.usableAt]).toEqual(before);
        }
      }),
    );
  });

  it("opens by nothing but a failure or a silence, and closes by nothing but a success", () => {
    fc.assert(
      fc.property(settings, script, random, (chosen, steps, jitter) => {
        play(
          new Breaker(chosen),
          steps,
          () => jitter,
          (before, { act, now, breaker }) => {
            const state = breaker.state(now);
            if (state === before.state) return;
            if (state === "open") expect(["failed", "half", "silent"]).toContain(act);
            if (state === "closed") expect(act).toBe("succeeded");
            if (state === "half_open") expect(["slept", "failed", "half", "silent"]).toContain(act);
          },
        );
      }),
    );
  });

  it("does what a plain breaker does if it has no span to wait for: N in a row open it, one success closes it", () => {
    const results = fc.array(fc.boolean(), { maxLength: 80 });
    fc.assert(
      fc.property(results, fc.integer({ min: 1, max: 6 }), (outcomes, threshold) => {
        const chosen = { ...breakerDefaults, minSpanMs: 0, minCalls: 1_000, consecutiveFailures: threshold };
        const breaker = new Breaker(chosen);
        let now = 0;
        let row = 0;
        let openings = 0;
        for (const succeeds of outcomes) {
          const wasClosed = breaker.state(now) === "closed";
          const trial = breaker.begin(now);
          if (succeeds) breaker.succeeded(trial, now);
          else breaker.failed(trial, 1, now, now, () => 0.5);
          row = succeeds ? 0 : row + 1;
          const opens = !succeeds && (!wasClosed || row >= threshold);
          expect(breaker.state(now)).toBe(opens ? "open" : "closed");
          if (opens) {
            const openMs = Math.min(60_000, 5_000 * 2 ** openings++);
            expect(breaker.usableAt).toBe(now + openMs);
            now += openMs;
          } else now += 1;
          if (succeeds && !wasClosed) row = 0;
        }
      }),
    );
  });
});
