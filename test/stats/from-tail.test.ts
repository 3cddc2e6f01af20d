import { describe, expect, it } from "vitest";
import { createStats, fromTail, type Stats } from "../../src/stats.ts";
import type { LimitContext } from "../../src/timing/limits.ts";
import { EPOCH, hearAnswer, hearSilence } from "./heard.ts";

const CONTEXT: LimitContext = { endpoint: "a", model: "m", promptTokens: 300, band: "<2k" };

function hear(stats: Stats, count: number, ttftMs: number, more: object = {}): void {
  for (let at = 0; at < count; at++) hearAnswer(stats, { ttftMs, ...more });
}

function cut(stats: Stats, count: number, afterMs: number): void {
  for (let at = 0; at < count; at++) hearSilence(stats, { afterMs });
}

function expectAbout(actual: number | null, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected) / expected).toBeLessThanOrEqual(0.01);
}

describe("a limit from the tail", () => {
  it("is p99.9 × 1.25 of the endpoint, model and band that are asked for, over all labels", () => {
    const stats = createStats();
    hear(stats, 500, 1_000, { label: "chat" });
    hear(stats, 500, 4_000, { label: "search" });
    hear(stats, 1_000, 60_000, { promptBand: ">=64k" });
    const limit = fromTail(stats);
    expectAbout(limit(CONTEXT), 5_000);
    expectAbout(limit({ ...CONTEXT, band: ">=64k" }), 75_000);
    expect(limit({ ...CONTEXT, endpoint: "b" })).toBeNull();
    expect(limit({ ...CONTEXT, model: null })).toBeNull();
    expect(limit({ ...CONTEXT, band: "2k-16k" })).toBeNull();
  });

  it("is the limit's own default, or `untilThenMs`, below 200 answers", () => {
    const stats = createStats();
    hear(stats, 199, 1_000);
    expect(fromTail(stats)(CONTEXT)).toBeNull();
    expect(fromTail(stats, { untilThenMs: 30_000 })(CONTEXT)).toBe(30_000);
    expect(fromTail(stats, { untilThenMs: 30_000 })({ ...CONTEXT, endpoint: "never heard of" })).toBe(30_000);
    hear(stats, 1, 1_000);
    expectAbout(fromTail(stats)(CONTEXT), 2_000);
  });

  it("takes any percentile and headroom: a hedge starts at the p95", () => {
    const stats = createStats();
    hear(stats, 1_900, 1_500);
    hear(stats, 100, 9_000);
    expectAbout(fromTail(stats, { percentile: 95, headroom: 1 })(CONTEXT), 1_500);
    expectAbout(fromTail(stats, { percentile: 95.1, headroom: 2 })(CONTEXT), 18_000);
  });

  it("stays between a second and two minutes, or what is asked for", () => {
    const stats = createStats();
    hear(stats, 1_000, 20);
    hear(stats, 1_000, 400_000, { endpoint: "slow" });
    const slow = { ...CONTEXT, endpoint: "slow" };
    expect(fromTail(stats)(CONTEXT)).toBe(1_000);
    expect(fromTail(stats, { minMs: 300 })(CONTEXT)).toBe(300);
    expect(fromTail(stats)(slow)).toBe(120_000);
    expectAbout(fromTail(stats, { maxMs: 900_000 })(slow), 500_000);
  });

  it("follows a snapshot and a merge", () => {
    const other = createStats();
    hear(other, 2_000, 4_000);
    expectAbout(fromTail(createStats({ snapshot: other.snapshot() }))(CONTEXT), 5_000);
  });

  it("forgets with the window", () => {
    const stats = createStats({ windowMs: 60_000 });
    hear(stats, 1_000, 4_000);
    hear(stats, 201, 1_000, { startedAt: EPOCH + 600_000 });
    expectAbout(fromTail(stats)(CONTEXT), 2_000);
  });
});

describe("when more than 2 % of the last 200 attempts were cut", () => {
  it("the limit doubles, and again while the doubled one cuts too", () => {
    const stats = createStats();
    const limit = fromTail(stats);
    hear(stats, 1_000, 4_000);
    cut(stats, 4, 5_000);
    expectAbout(limit(CONTEXT), 5_000);
    cut(stats, 1, 5_000);
    expectAbout(limit(CONTEXT), 10_000);
    hear(stats, 5, 9_000);
    cut(stats, 5, 10_000);
    expectAbout(limit(CONTEXT), 20_000);
  });

  it("it does not fall back while the tail catches up", () => {
    const stats = createStats();
    hear(stats, 1_000, 4_000);
    cut(stats, 10, 5_000);
    hear(stats, 50, 6_000);
    expectAbout(fromTail(stats)(CONTEXT), 10_000);
  });

  it("attempts that an earlier, shorter limit cut do not double the new one", () => {
    const stats = createStats();
    hear(stats, 1_000, 4_000);
    // A hundred were under way when the fifth was cut.
    cut(stats, 100, 5_000);
    expectAbout(fromTail(stats)(CONTEXT), 10_000);
  });

  it("it comes back once the share has fallen", () => {
    const stats = createStats();
    hear(stats, 1_000, 4_000);
    cut(stats, 10, 5_000);
    hear(stats, 200, 4_000);
    expectAbout(fromTail(stats)(CONTEXT), 5_000);
  });

  it("an endpoint that answers nothing any more is given the longest limit, not an endless one", () => {
    const stats = createStats();
    const limit = fromTail(stats);
    hear(stats, 1_000, 4_000);
    for (let at = 0; at < 500; at++) cut(stats, 1, limit(CONTEXT) ?? 0);
    expect(limit(CONTEXT)).toBe(120_000);
  });

  it("stalls among healthy answers are not waited for longer and longer", () => {
    const stats = createStats();
    const limit = fromTail(stats);
    hear(stats, 1_000, 4_000);
    for (let round = 0; round < 300; round++) {
      hear(stats, 19, 4_000);
      cut(stats, 1, limit(CONTEXT) ?? 0);
    }
    expect(limit(CONTEXT)).toBeLessThanOrEqual(10_100);
  });

  it("a limit for want of samples doubles too: a slow model is learnt from a cold start", () => {
    const stats = createStats();
    const limit = fromTail(stats, { untilThenMs: 5_000 });
    for (let at = 0; at < 300; at++) {
      const limitMs = limit(CONTEXT) ?? 0;
      if (limitMs < 20_000) cut(stats, 1, limitMs);
      else hear(stats, 1, 20_000);
    }
    expectAbout(limit(CONTEXT), 40_000);
  });

  it("a hedge's start does not move: being passed is what it is for", () => {
    const stats = createStats();
    hear(stats, 1_000, 2_000);
    cut(stats, 50, 10_000);
    expectAbout(fromTail(stats, { percentile: 95, headroom: 1 })(CONTEXT), 2_000);
  });
});

describe("fromTail", () => {
  it.each([
    [{ percentile: 100 }, "`percentile` must be at least 1 and below 100, got 100"],
    [{ percentile: 0.99 }, "`percentile` must be at least 1 and below 100, got 0.99"],
    [{ percentile: 0 }, "`percentile` must be a number above 0, got 0"],
    [{ headroom: "2" }, "`headroom` must be a number above 0, got string"],
    [{ minMs: 10, maxMs: 5 }, "`minMs` must not be above `maxMs`, got 10 and 5"],
    [{ untilThenMs: -1 }, "`untilThenMs` must be a number above 0, got -1"],
    [{ until: 1 }, "`until` is no option; allowed: percentile, headroom, minMs, maxMs, untilThenMs"],
  ])("refuses %j by name", (options, message) => {
    expect(() => fromTail(createStats(), options as object)).toThrow(new TypeError(message));
  });

  it("refuses stats that are not ours", () => {
    expect(() => fromTail({} as Stats)).toThrow(new TypeError("`stats` must come from createStats()"));
  });
});
