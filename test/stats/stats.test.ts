import { describe, expect, it } from "vitest";
import { createStats, type Stats } from "../../src/stats.ts";
import { attempt, attemptInfo, callInfo, EPOCH, hearAnswer, hearSilence, record, timing } from "./heard.ts";

const HOUR_MS = 3_600_000;

function hearAnswers(stats: Stats, count: number, ttftMs: number | ((at: number) => number), more: object = {}): void {
  for (let at = 0; at < count; at++)
    hearAnswer(stats, { ttftMs: typeof ttftMs === "number" ? ttftMs : ttftMs(at), ...more });
}

function onlyRow(stats: Stats) {
  const rows = stats.percentiles();
  expect(rows).toHaveLength(1);
  return rows[0] as (typeof rows)[number];
}

/** Within the stated error. */
function expectAbout(actual: number | null, expected: number): void {
  expect(Math.abs((actual ?? Number.NaN) - expected) / expected).toBeLessThanOrEqual(0.01);
}

describe("percentiles", () => {
  it("are kept apart by endpoint, model, label and prompt band", () => {
    const stats = createStats();
    hearAnswer(stats, { ttftMs: 1 });
    hearAnswer(stats, { ttftMs: 1, endpoint: "b" });
    hearAnswer(stats, { ttftMs: 1, model: "n" });
    hearAnswer(stats, { ttftMs: 1, model: null });
    hearAnswer(stats, { ttftMs: 1, label: "chat" });
    hearAnswer(stats, { ttftMs: 1, promptBand: ">=64k" });
    const keys = stats.percentiles().map(({ endpoint, model, label, band }) => [endpoint, model, label, band].join());
    expect(keys.sort()).toEqual(
      ["a,m,,<2k", "b,m,,<2k", "a,n,,<2k", "a,unknown,,<2k", "a,m,chat,<2k", "a,m,,>=64k"].sort(),
    );
  });

  it("are the nearest rank of 200 samples and more", () => {
    const stats = createStats();
    hearAnswers(stats, 1_000, (at) => at + 1);
    const { ttft, firstOutput } = onlyRow(stats);
    expectAbout(ttft.p50Ms, 500);
    expectAbout(ttft.p90Ms, 900);
    expectAbout(ttft.p99Ms, 990);
    expectAbout(ttft.p999Ms, 1_000);
    expect(firstOutput).toEqual(ttft);
    expect(ttft).toMatchObject({ samples: 1_000, note: null });
  });

  it("are refused, all four and with the reason, below 200 samples", () => {
    const stats = createStats();
    hearAnswers(stats, 199, 700);
    expect(onlyRow(stats).ttft).toEqual({
      samples: 199,
      p50Ms: null,
      p90Ms: null,
      p99Ms: null,
      p999Ms: null,
      note: "too few for a tail estimate: 199 samples; it takes 200",
    });
    hearAnswers(stats, 1, 700);
    expect(onlyRow(stats).ttft.note).toBeNull();
  });
});

describe("a TTFT sample", () => {
  const endOf = (fields: object) => {
    const stats = createStats();
    const call = callInfo();
    stats.callEnd?.(call, record({ timing: timing({ ttftMs: 900, totalMs: 2_000, maxGapMs: 40 }), ...fields }));
    return onlyRow(stats);
  };

  it.each(["complete", "length", "content_filter", "paused"] as const)(
    "comes from a turn that ended as %s",
    (outcome) => {
      const { ttft, largestGap, failures } = endOf({ outcome, successSignal: true });
      expect([ttft.samples, largestGap.samples, failures]).toEqual([1, 1, {}]);
    },
  );

  it("comes from the whole answer of a lenient endpoint, which has no success signal", () => {
    expect(endOf({ outcome: "complete", successSignal: false }).ttft.samples).toBe(1);
  });

  it.each(["closed_before_terminal", "http_error", "aborted", "timeout_idle"] as const)(
    "does not come from a call that ended as %s: it is counted apart",
    (outcome) => {
      const { ttft, largestGap, failures } = endOf({ outcome, successSignal: false });
      expect([ttft.samples, largestGap.samples, failures]).toEqual([0, 0, { [outcome]: 1 }]);
    },
  );

  it("does not come from an answer that was not streamed, nor a gap from one with a single piece", () => {
    const { ttft, largestGap, failures } = endOf({ timing: timing({ totalMs: 2_000 }) });
    expect([ttft.samples, largestGap.samples, failures]).toEqual([0, 0, {}]);
  });

  it("belongs to the endpoint that served and to the model that endpoint was asked for", () => {
    const stats = createStats();
    const call = callInfo({ endpoint: "a", model: "m" });
    const first = attemptInfo(call);
    const second = attemptInfo(call, { index: 1, kind: "fallback", endpoint: "b", model: "other" });
    stats.attemptStart?.(first);
    stats.attemptEnd?.(first, attempt({ outcome: "http_error", timing: timing({ totalMs: 300 }) }));
    stats.attemptStart?.(second);
    stats.firstOutput?.(second, 600);
    const times = timing({ firstOutputMs: 600, ttftMs: 600, totalMs: 2_000 });
    stats.attemptEnd?.(second, attempt({ index: 1, endpoint: "b", timing: times }));
    stats.callEnd?.(call, record({ endpoint: "b", timing: timing({ ttftMs: 950, totalMs: 2_350 }) }));
    expect(onlyRow(stats)).toMatchObject({
      endpoint: "b",
      model: "other",
      ttft: { samples: 1 },
      firstOutput: { samples: 1 },
    });
  });

  it("of a call that no endpoint was tried for counts as a failure of the first one", () => {
    const { endpoint, failures } = endOf({ outcome: "no_endpoint", successSignal: false, endpoint: null });
    expect([endpoint, failures]).toEqual(["a", { no_endpoint: 1 }]);
  });
});

describe("a first-output sample", () => {
  it("comes once from each attempt, when it speaks or else when it ends", () => {
    const stats = createStats();
    const call = callInfo();
    const times = timing({ firstOutputMs: 400, totalMs: 900 });
    const live = attemptInfo(call);
    stats.firstOutput?.(live, 400);
    stats.attemptEnd?.(live, attempt({ timing: times }));
    stats.attemptEnd?.(attemptInfo(call, { index: 1 }), attempt({ index: 1, timing: times }));
    expect(onlyRow(stats).firstOutput.samples).toBe(2);
  });

  it("counts even if the answer was cut afterwards: the wait was real", () => {
    const stats = createStats();
    const info = attemptInfo(callInfo());
    stats.attemptEnd?.(info, attempt({ outcome: "connection_lost", timing: timing({ firstOutputMs: 5, totalMs: 9 }) }));
    expect(onlyRow(stats).firstOutput.samples).toBe(1);
  });

  it("of an attempt that the limit cut stands at the limit", () => {
    const stats = createStats();
    hearAnswers(stats, 980, 1_000);
    for (let at = 0; at < 20; at++) hearSilence(stats, { afterMs: 8_000 });
    const { firstOutput, failures } = onlyRow(stats);
    expect(firstOutput.samples).toBe(1_000);
    expectAbout(firstOutput.p90Ms, 1_000);
    expectAbout(firstOutput.p99Ms, 8_000);
    expect(failures).toEqual({ timeout_first_token: 20 });
  });

  it("of a lost race or of a call its user gave up on is at least as long as it lasted", () => {
    const stats = createStats();
    hearAnswers(stats, 300, 1_000);
    hearAnswers(stats, 300, 5_000);
    for (let at = 0; at < 600; at++) hearSilence(stats, { afterMs: 2_000, outcome: "aborted" });
    const { firstOutput } = onlyRow(stats);
    expect(firstOutput.samples).toBe(1_200);
    // As samples of 2 s they would make this 2 s: the median would sink the more is given up.
    expectAbout(firstOutput.p50Ms, 5_000);
  });

  it("does not come from an attempt that failed", () => {
    const stats = createStats();
    hearSilence(stats, { afterMs: 30, outcome: "http_error" });
    hearSilence(stats, { afterMs: 30, outcome: "connection_failed" });
    expect(onlyRow(stats).firstOutput.samples).toBe(0);
  });

  it("is refused as a tail where silences came before every answer", () => {
    const stats = createStats();
    hearAnswers(stats, 5, 1_000);
    for (let at = 0; at < 300; at++) hearSilence(stats, { afterMs: 5, outcome: "aborted" });
    const { firstOutput } = onlyRow(stats);
    expect(firstOutput).toMatchObject({ samples: 305, p50Ms: null });
    expect(firstOutput.note).toBe(
      "too few for a tail estimate: 305 samples, of which 5 tell of the tail; it takes 200",
    );
  });
});

describe("the window", () => {
  it("ends with the last call heard of and never holds what is older", () => {
    const stats = createStats({ windowMs: 3 * HOUR_MS });
    hearAnswers(stats, 10, 100, { startedAt: EPOCH });
    hearAnswers(stats, 10, 100, { startedAt: EPOCH + HOUR_MS });
    hearAnswers(stats, 10, 100, { startedAt: EPOCH + 2 * HOUR_MS });
    expect(onlyRow(stats).ttft.samples).toBe(30);
    hearAnswers(stats, 1, 100, { startedAt: EPOCH + 3 * HOUR_MS });
    expect(onlyRow(stats).ttft.samples).toBe(21);
    hearAnswers(stats, 1, 100, { startedAt: EPOCH + 9 * HOUR_MS });
    expect(onlyRow(stats).ttft.samples).toBe(1);
  });

  it("forgets whole keys", () => {
    const stats = createStats({ windowMs: HOUR_MS });
    hearAnswer(stats, { ttftMs: 5, endpoint: "old" });
    hearAnswer(stats, { ttftMs: 5, endpoint: "new", startedAt: EPOCH + 2 * HOUR_MS });
    expect(stats.percentiles().map(({ endpoint }) => endpoint)).toEqual(["new"]);
  });

  it("loses nothing when a clock that ran ahead is set back, and goes on from there", () => {
    const stats = createStats({ windowMs: 3 * HOUR_MS });
    hearAnswers(stats, 10, 100, { startedAt: EPOCH + 1_000 * HOUR_MS });
    hearAnswers(stats, 10, 100, { startedAt: EPOCH });
    expect(onlyRow(stats).ttft.samples).toBe(20);
    hearAnswers(stats, 10, 100, { startedAt: EPOCH + 4 * HOUR_MS });
    expect(onlyRow(stats).ttft.samples).toBe(10);
  });

  it("can be for ever, and takes times that are no times", () => {
    const stats = createStats({ windowMs: Number.POSITIVE_INFINITY });
    for (const startedAt of [EPOCH, 0, Number.NaN, -5, Number.POSITIVE_INFINITY, EPOCH * 2])
      hearAnswer(stats, { ttftMs: 5, startedAt });
    expect(onlyRow(stats).ttft.samples).toBe(6);
    expect(createStats({ snapshot: stats.snapshot() }).percentiles()[0]?.ttft.samples).toBe(6);
  });
});

describe("memory", () => {
  it("holds at most 256 keys: what comes after is counted as _OTHER, labels first", () => {
    const stats = createStats();
    for (let at = 0; at < 1_000; at++) hearAnswer(stats, { ttftMs: 5, label: `user-${at}` });
    for (let at = 0; at < 1_000; at++) hearAnswer(stats, { ttftMs: 5, endpoint: `host-${at}` });
    const rows = stats.percentiles();
    expect(rows.length).toBeLessThanOrEqual(257);
    expect(rows.reduce((sum, row) => sum + row.ttft.samples, 0)).toBe(2_000);
    const other = (key: object) =>
      rows.find((row) => Object.entries(key).every(([name, value]) => Object(row)[name] === value));
    expect(other({ endpoint: "a", label: "_OTHER" })?.ttft.samples).toBeGreaterThan(800);
    expect(other({ endpoint: "_OTHER", model: "_OTHER", label: null })?.ttft.samples).toBeGreaterThan(900);
  });

  it("makes room for new keys by forgetting those the window has passed", () => {
    const stats = createStats({ windowMs: HOUR_MS });
    for (let at = 0; at < 300; at++) hearAnswer(stats, { ttftMs: 5, endpoint: `old-${at}` });
    for (let at = 0; at < 200; at++)
      hearAnswer(stats, { ttftMs: 5, endpoint: `new-${at}`, startedAt: EPOCH + 5 * HOUR_MS });
    expect(stats.percentiles().map(({ endpoint }) => endpoint)).not.toContain("_OTHER");
  });

  it("cuts names that are no names", () => {
    const stats = createStats();
    hearAnswer(stats, { ttftMs: 5, model: "x".repeat(100_000) });
    hearAnswer(stats, { ttftMs: 5, model: "x".repeat(100_001) });
    expect(onlyRow(stats).model).toHaveLength(200);
  });
});

describe("createStats", () => {
  it.each([
    [{ windowMs: 0 }, "`windowMs` must be a number above 0, got 0"],
    [{ windowMs: Number.NaN }, "`windowMs` must be a number above 0, got NaN"],
    [{ windowMs: "1h" }, "`windowMs` must be a number above 0, got string"],
    [{ limits: { firstTokenMs: -1 } }, "`limits.firstTokenMs` must be a number above 0, got -1"],
    [{ limits: { idleMs: "3" } }, "`limits.idleMs` must be a number above 0, got string"],
    [
      { limits: { firstTokenMS: 5 } },
      "`firstTokenMS` is no option; allowed: connectMs, firstTokenMs, idleMs, stallMs, gateMs, totalMs, lastEndpointGraceMs, consumerMs, minAttemptMs",
    ],
    [{ window: 5 }, "`window` is no option; allowed: windowMs, snapshot, limits, onWarning"],
  ])("refuses %j by name", (options, message) => {
    expect(() => createStats(options as object)).toThrow(new TypeError(message));
  });

  it("takes the limits of a client as they are, functions and a grace of 0 included", () => {
    const limits = { firstTokenMs: () => null, idleMs: 5_000, lastEndpointGraceMs: 0 } as object;
    expect(createStats({ limits }).percentiles()).toEqual([]);
  });

  it("gives an object whose functions need no `this`", () => {
    const { percentiles, snapshot, suggestLimits } = createStats();
    expect(percentiles()).toEqual([]);
    expect(suggestLimits({ deadlineMs: 1_000 })).toEqual([]);
    expect(snapshot()).toEqual({ format: "ttft-stats/1", data: [] });
  });
});
