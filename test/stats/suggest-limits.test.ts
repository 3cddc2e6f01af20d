import { describe, expect, it } from "vitest";
import { createStats, type LimitSuggestion, type Stats } from "../../src/stats.ts";
import { hearAnswer, hearSilence } from "./heard.ts";
import { logNormal, randomFrom } from "./shapes.ts";

/** `fast` and, for the last samples, `slow`: the p99.9 is `slow` if `slowOnes` are more than one in a thousand. */
function statsOf(samples: number, fast: number, slow: number, slowOnes: number, maxGapMs = 100): Stats {
  const stats = createStats();
  for (let at = 0; at < samples; at++) hearAnswer(stats, { ttftMs: at < samples - slowOnes ? fast : slow, maxGapMs });
  return stats;
}

function only(stats: Stats, deadlineMs: number, headroom?: number): LimitSuggestion {
  const [suggestion, ...others] = stats.suggestLimits({ deadlineMs, headroom });
  expect(others).toEqual([]);
  return suggestion as LimitSuggestion;
}

function expectAbout(actual: number | null, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected) / expected).toBeLessThanOrEqual(0.01);
}

describe("suggested limits", () => {
  it("reproduce the worked example: deadline 30 s, p99.9 7.5 s → about 9.4 s, and two attempts fit", () => {
    const suggestion = only(statsOf(4_210, 1_200, 7_500, 5), 30_000);
    expectAbout(suggestion.firstTokenMs, 1.25 * 7_500);
    expect(((suggestion.firstTokenMs ?? 0) / 1_000).toFixed(1)).toBe("9.4");
    expect(suggestion.twoAttemptsFit).toBe(true);
    expect(suggestion.basis).toBe("p99.9 × 1.25 of 4 210 samples");
    expect(suggestion.why).toMatch(
      /^First token 9 \d{3} ms: p99\.9 × 1\.25 of 4 210 samples is 9 \d{3} ms\. Two attempts fit the deadline of 30 000 ms\. Idle 10 000 ms: p99\.9 × 2 of the largest gaps of 4 210 turns is \d+ ms, raised to ten seconds\.$/,
    );
  });

  it("say when a second attempt does not fit: a limit of 25 s in a deadline of 30 s", () => {
    const suggestion = only(statsOf(4_000, 1_000, 20_000, 10), 30_000);
    expectAbout(suggestion.firstTokenMs, 25_000);
    expect(suggestion.twoAttemptsFit).toBe(false);
    expect(suggestion.why).toContain("Two attempts do not fit the deadline of 30 000 ms");
  });

  it("leave a second attempt its median and one second before the deadline", () => {
    const suggestion = only(statsOf(4_000, 2_000, 60_000, 10), 30_000);
    expectAbout(suggestion.firstTokenMs, 27_000);
    expect(suggestion.why).toContain("lowered so that a second attempt still has its median and one second");
  });

  it("are never under a second, however fast the tail or short the deadline", () => {
    const fast = only(statsOf(4_000, 50, 80, 10), 30_000);
    expect(fast.firstTokenMs).toBe(1_000);
    expect(fast.why).toContain("raised to a second");
    const late = only(statsOf(4_000, 5_000, 8_000, 10), 4_000);
    expect([late.firstTokenMs, late.twoAttemptsFit]).toEqual([1_000, true]);
    expect(late.why).toContain("the deadline leaves no room");
  });

  it("are taken from p99 × 2 below 1 000 samples", () => {
    const suggestion = only(statsOf(999, 1_000, 4_000, 20), 60_000);
    expectAbout(suggestion.firstTokenMs, 8_000);
    expect(suggestion.basis).toBe("p99 × 2 of 999 samples");
  });

  it("are none below 200 samples", () => {
    const suggestion = only(statsOf(199, 1_000, 1_000, 0), 30_000);
    expect(suggestion).toMatchObject({ firstTokenMs: null, idleMs: null, twoAttemptsFit: false });
    expect(suggestion.why).toBe(
      "No first-token limit: too few for a tail estimate: 199 answered attempts; it takes 200. No idle limit: too few for a tail estimate: 199 turns with gaps; it takes 200.",
    );
  });

  it("scale with the headroom", () => {
    expectAbout(only(statsOf(4_000, 1_000, 6_000, 10), 60_000, 2).firstTokenMs, 12_000);
    expectAbout(only(statsOf(500, 1_000, 4_000, 20), 60_000, 2.5).firstTokenMs, 16_000);
  });

  it("know no deadline if there is none", () => {
    const suggestion = only(statsOf(4_000, 1_000, 60_000, 10), Number.POSITIVE_INFINITY);
    expectAbout(suggestion.firstTokenMs, 75_000);
    expect(suggestion.twoAttemptsFit).toBe(true);
    expect(suggestion.why).not.toContain("deadline");
  });

  it("take the idle limit from the largest gaps, twice their p99.9", () => {
    expectAbout(only(statsOf(4_000, 1_000, 2_000, 10, 9_000), 30_000).idleMs, 18_000);
    expect(only(statsOf(4_000, 1_000, 2_000, 10, 900), 30_000).idleMs).toBe(10_000);
  });

  it("are not raised by stalls, which no limit would have let through", () => {
    const stats = statsOf(4_000, 1_000, 6_000, 10);
    for (let at = 0; at < 60; at++) hearSilence(stats, { afterMs: 120_000 });
    const suggestion = only(stats, 60_000);
    expectAbout(suggestion.firstTokenMs, 7_500);
    expect(suggestion.why).toContain("(60 more ended in silence and count as at least that long)");
    expectAbout(stats.percentiles()[0]?.firstOutput.p999Ms ?? null, 120_000);
  });

  it("cut under 0.5 % of healthy turns of 200 gaps each where the idle limit comes from their largest gaps", () => {
    const random = randomFrom(11);
    const largestGap = () => Math.max(...Array.from({ length: 200 }, () => logNormal(random, 60, 1.6)));
    const stats = createStats();
    for (let turn = 0; turn < 5_000; turn++) hearAnswer(stats, { ttftMs: 800, maxGapMs: largestGap() });
    const { idleMs } = only(stats, 60_000);
    expect(idleMs).toBeGreaterThan(10_000);
    const later = Array.from({ length: 5_000 }, largestGap);
    expect(later.filter((gap) => gap > (idleMs ?? 0)).length / later.length).toBeLessThan(0.005);
    // What the p99.9 of single gaps would have done, doubled or not: it cuts whole turns.
    const singles = Float64Array.from({ length: 100_000 }, () => logNormal(random, 60, 1.6)).sort();
    const single = singles[99_899] as number;
    expect(later.filter((gap) => gap > single).length / later.length).toBeGreaterThan(0.1);
  });

  it.each([
    [{}, "`deadlineMs` must be a number above 0, got undefined"],
    [{ deadlineMs: -1 }, "`deadlineMs` must be a number above 0, got -1"],
    [{ deadlineMs: 5, headroom: 0 }, "`headroom` must be a number above 0, got 0"],
    [{ deadline: 5 }, "`deadline` is no option; allowed: deadlineMs, headroom"],
  ])("refuse %j by name", (options, message) => {
    expect(() => createStats().suggestLimits(options as never)).toThrow(new TypeError(message));
  });
});
