import { describe, expect, it } from "vitest";
import { createStats, type LimitWarning, type Stats } from "../../src/stats.ts";
import { callInfo, EPOCH, hearAnswer, hearSilence, record, timing } from "./heard.ts";

function watched(limits: { firstTokenMs?: number | (() => number); idleMs?: number }, windowMs?: number) {
  const warnings: LimitWarning[] = [];
  const stats = createStats({ limits, windowMs, onWarning: (warning) => warnings.push(warning) });
  return { stats, warnings };
}

function hear(stats: Stats, count: number, ttftMs: number, more: object = {}): void {
  for (let at = 0; at < count; at++) hearAnswer(stats, { ttftMs, ...more });
}

describe("a configured first-token limit", () => {
  it("that would have cut more than 1 % of the healthy calls seen is warned of, once", () => {
    const { stats, warnings } = watched({ firstTokenMs: 2_000 });
    hear(stats, 985, 1_000);
    hear(stats, 15, 3_000);
    hear(stats, 200, 1_000);
    expect(warnings).toEqual([
      {
        code: "limit_cuts_healthy",
        message: "first-token limit of 2 000 ms (a, m, prompts <2k): 1.5 % of 1 000 took longer or were cut by it",
      },
    ]);
  });

  it("that did cut more than 1 % is warned of too: those that it cut never get to show that they were healthy", () => {
    const { stats, warnings } = watched({ firstTokenMs: 2_000 });
    for (let round = 0; round < 10; round++) {
      hear(stats, 97, 1_000);
      for (let at = 0; at < 3; at++) hearSilence(stats, { afterMs: 2_000 });
    }
    expect(warnings.map(({ message }) => message)).toEqual([
      "first-token limit of 2 000 ms (a, m, prompts <2k): 3.0 % of 200 took longer or were cut by it",
    ]);
  });

  it("is warned of again when it had become right and became wrong again", () => {
    const { stats, warnings } = watched({ firstTokenMs: 2_000 }, 60_000);
    hear(stats, 300, 3_000);
    hear(stats, 300, 1_000, { startedAt: EPOCH + 120_000 });
    hear(stats, 300, 3_000, { startedAt: EPOCH + 240_000 });
    expect(warnings.map(({ code }) => code)).toEqual(["limit_cuts_healthy", "limit_cuts_healthy"]);
  });

  it("more than ten times the p99.9 never fires before its user has left", () => {
    const { stats, warnings } = watched({ firstTokenMs: 60_000 });
    hear(stats, 1_000, 4_000);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]?.code).toBe("limit_never_fires");
    expect(warnings[0]?.message).toMatch(
      /^first-token limit of 60 000 ms \(a, m, prompts <2k\): p99\.9 of 1 000 is [34] \d{3} ms$/,
    );
  });

  it("that fits, has too few samples or follows the tail is not warned of", () => {
    for (const limits of [{ firstTokenMs: 10_000 }, { firstTokenMs: () => 1 }, {}]) {
      const { stats, warnings } = watched(limits);
      hear(stats, 2_000, 4_000);
      expect(warnings).toEqual([]);
    }
    const { stats, warnings } = watched({ firstTokenMs: 100 });
    hear(stats, 199, 4_000);
    expect(warnings).toEqual([]);
  });
});

describe("a configured idle limit", () => {
  it("that more than 1 % of the turns would have passed, or did, is warned of", () => {
    const { stats, warnings } = watched({ idleMs: 5_000 });
    hear(stats, 195, 100);
    hear(stats, 2, 100, { maxGapMs: 9_000 });
    const times = timing({ firstOutputMs: 100, ttftMs: 100, totalMs: 9_000 });
    for (let at = 0; at < 3; at++)
      stats.callEnd?.(callInfo(), record({ outcome: "timeout_idle", successSignal: false, timing: times }));
    hear(stats, 103, 100);
    expect(warnings).toEqual([
      {
        code: "limit_cuts_healthy",
        message: "idle limit of 5 000 ms (a, m, prompts <2k): 2.5 % of 202 took longer or were cut by it",
      },
    ]);
  });

  it("far above every gap never fires", () => {
    const { stats, warnings } = watched({ idleMs: 120_000 });
    hear(stats, 1_100, 100, { maxGapMs: 300 });
    expect(warnings.map(({ code }) => code)).toEqual(["limit_never_fires"]);
  });
});
