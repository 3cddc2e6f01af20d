import { describe, expect, it } from "vitest";
import { createStats, fromTail } from "../../src/stats.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { attempt, attemptInfo, callInfo, record, timing } from "./heard.ts";
import { logNormal, randomFrom } from "./shapes.ts";

const WINDOW_MS = 300_000;
const CALLS_PER_SECOND = 5;
const MEDIAN_MS = 800;
const SIGMA = 0.6;
/** 3.09 standard deviations: one in a thousand takes longer. */
const P999_MS = MEDIAN_MS * Math.exp(SIGMA * 3.09);
const CONTEXT = { endpoint: "a", model: "m", promptTokens: 300, band: "<2k" } as const;

interface Seen {
  readonly atMs: number;
  readonly limitMs: number;
  readonly stalled: boolean;
  readonly cut: boolean;
}

/** Calls arrive at random; each asks for its limit, and is heard of when it speaks, ends, or is cut. */
async function run(options: { readonly slowerBy: number; readonly stalls: number; readonly windows: number }) {
  const clock = new VirtualClock();
  const random = randomFrom(5);
  const stats = createStats({ windowMs: WINDOW_MS });
  const limitFor = fromTail(stats, { untilThenMs: 30_000 });
  const seen: Seen[] = [];

  const end = (call: ReturnType<typeof callInfo>, startedAt: number, times: object, cut: boolean) => {
    const outcome = cut ? "timeout_first_token" : "complete";
    const info = attemptInfo(call);
    if (!cut) stats.firstOutput?.(info, timing(times).firstOutputMs ?? 0);
    stats.attemptEnd?.(info, attempt({ outcome, timing: timing(times) }));
    stats.callEnd?.(call, record({ outcome, successSignal: !cut, startedAt, timing: timing(times) }));
  };
  const startCall = () => {
    const call = callInfo();
    const limitMs = limitFor(CONTEXT) ?? Number.NaN;
    const slower = clock.now() < 2 * WINDOW_MS ? 1 : options.slowerBy;
    const stalled = random() < options.stalls;
    const waitMs = stalled ? Number.POSITIVE_INFINITY : logNormal(random, MEDIAN_MS * slower, SIGMA);
    const cut = waitMs > limitMs;
    const startedAt = clock.wallNow();
    seen.push({ atMs: clock.now(), limitMs, stalled, cut });
    if (cut) clock.after(limitMs, () => end(call, startedAt, { totalMs: limitMs }, true));
    else
      clock.after(waitMs, () =>
        end(call, startedAt, { firstOutputMs: waitMs, ttftMs: waitMs, totalMs: waitMs }, false),
      );
    const next = (-Math.log(1 - random()) / CALLS_PER_SECOND) * 1_000;
    if (clock.now() + next < options.windows * WINDOW_MS) clock.after(next, startCall);
  };
  startCall();
  await clock.runAll();

  const within = (from: number, to: number) =>
    seen.filter(({ atMs }) => atMs >= from * WINDOW_MS && atMs < to * WINDOW_MS);
  return {
    within,
    shareCut(from: number, to: number) {
      const healthy = within(from, to).filter(({ stalled }) => !stalled);
      return healthy.filter(({ cut }) => cut).length / healthy.length;
    },
    pending: clock.pending,
  };
}

describe("limits that follow the tail, on the virtual clock: a provider slows down after two windows", () => {
  it.each([
    [3, 0],
    [10, 0],
    [3, 0.01],
    [10, 0.01],
  ])("by %d×, with a share of %d stalled", { timeout: 60_000 }, async (slowerBy, stalls) => {
    const loop = await run({ slowerBy, stalls, windows: 5 });
    // Before: settled, and hardly anything healthy is cut.
    expect(loop.shareCut(1, 2)).toBeLessThan(0.005);
    // Within one window the limit has followed.
    const followed = loop.within(3, 3.1).map(({ limitMs }) => limitMs);
    expect(Math.min(...followed)).toBeGreaterThan(P999_MS * slowerBy * 0.8);
    expect(Math.max(...followed)).toBeLessThanOrEqual(Math.min(120_000, P999_MS * slowerBy * 5));
    // From one window on, under 0.5 % of the healthy calls are cut.
    expect(loop.shareCut(3, 5)).toBeLessThan(0.005);
    // Stalls are still cut, at the new limit.
    const stalled = loop.within(3, 5).filter((call) => call.stalled);
    expect(stalled.length > 0).toBe(stalls > 0);
    expect(stalled.every(({ cut, limitMs }) => cut && limitMs <= 120_000)).toBe(true);
    expect(loop.pending).toBe(0);
  });

  it("that comes back to its old speed, the limit comes down again", { timeout: 60_000 }, async () => {
    const loop = await run({ slowerBy: 1 / 3, stalls: 0.01, windows: 4 });
    const limits = loop.within(3.5, 4).map(({ limitMs }) => limitMs);
    expect(Math.max(...limits)).toBeLessThan(P999_MS);
    expect(loop.shareCut(3, 4)).toBeLessThan(0.005);
  });

  it("does not let 1 % of stalls raise it, window after window", { timeout: 60_000 }, async () => {
    const loop = await run({ slowerBy: 1, stalls: 0.01, windows: 6 });
    const limits = loop.within(5, 6).map(({ limitMs }) => limitMs);
    expect(Math.max(...limits)).toBeLessThan(P999_MS * 3);
    expect(loop.shareCut(1, 6)).toBeLessThan(0.005);
  });
});
