import { describe, expect, it } from "vitest";
import { createStats, type Stats, type StatsSnapshot } from "../../src/stats.ts";
import { EPOCH, hearAnswer, hearSilence } from "./heard.ts";

const HOUR_MS = 3_600_000;

function heard(startedAt = EPOCH, windowMs?: number): Stats {
  const stats = createStats({ windowMs });
  for (let at = 0; at < 400; at++) hearAnswer(stats, { ttftMs: 500 + at, startedAt, label: at % 2 ? "chat" : null });
  hearSilence(stats, { afterMs: 9_000, startedAt });
  hearSilence(stats, { afterMs: 30, outcome: "http_error", startedAt });
  return stats;
}

const throughJson = (snapshot: StatsSnapshot): StatsSnapshot => JSON.parse(JSON.stringify(snapshot));

describe("a snapshot", () => {
  it("brings everything back, through JSON", () => {
    const stats = heard();
    const back = createStats({ snapshot: throughJson(stats.snapshot()) });
    expect(back.percentiles()).toEqual(stats.percentiles());
    expect(back.suggestLimits({ deadlineMs: 60_000 })).toEqual(stats.suggestLimits({ deadlineMs: 60_000 }));
    expect(back.snapshot()).toEqual(stats.snapshot());
  });

  it("is a few KiB per key", () => {
    expect(JSON.stringify(heard().snapshot()).length / 2).toBeLessThan(3_000);
  });

  it("of a hundred processes merges to what one process would have seen", () => {
    const one = createStats();
    const fleet = createStats();
    for (let process = 0; process < 100; process++) {
      const stats = createStats();
      for (let at = 0; at < 50; at++) {
        const ttftMs = 200 + ((process * 7919 + at * 104_729) % 9_000);
        hearAnswer(stats, { ttftMs });
        hearAnswer(one, { ttftMs });
      }
      fleet.merge(throughJson(stats.snapshot()));
    }
    expect(fleet.percentiles()).toEqual(one.percentiles());
  });

  it("adds to what is there, and can be merged into itself", () => {
    const stats = heard();
    stats.merge(stats.snapshot());
    expect(stats.percentiles().map(({ ttft }) => ttft.samples)).toEqual([400, 400]);
    expect(stats.percentiles()[0]?.failures).toEqual({ timeout_first_token: 2, http_error: 2 });
  });

  it("keeps its age: samples do not become young by a restart", () => {
    const windowMs = 3 * HOUR_MS;
    const snapshot = heard(EPOCH, windowMs).snapshot();
    const stats = createStats({ windowMs, snapshot });
    hearAnswer(stats, { ttftMs: 5, startedAt: EPOCH + 2 * HOUR_MS });
    expect(stats.percentiles()[0]?.ttft.samples).toBe(201);
    hearAnswer(stats, { ttftMs: 5, startedAt: EPOCH + 4 * HOUR_MS });
    expect(stats.percentiles().map(({ ttft }) => ttft.samples)).toEqual([2]);
    stats.merge(snapshot);
    expect(stats.percentiles().map(({ ttft }) => ttft.samples)).toEqual([2]);
  });

  it("that is the newest tells the time of a fleet, whichever is merged first", () => {
    const [old, recent] = [heard(EPOCH, HOUR_MS).snapshot(), heard(EPOCH + 5 * HOUR_MS, HOUR_MS).snapshot()];
    for (const order of [
      [old, recent],
      [recent, old],
    ]) {
      const fleet = createStats({ windowMs: HOUR_MS });
      for (const snapshot of order) fleet.merge(snapshot);
      expect(fleet.percentiles().map(({ ttft }) => ttft.samples)).toEqual([200, 200]);
    }
  });

  it("from a machine whose clock is ahead counts as now, and does not age what is there", () => {
    const stats = heard(EPOCH, HOUR_MS);
    stats.merge(heard(EPOCH + 1_000 * HOUR_MS).snapshot());
    expect(stats.percentiles().map(({ ttft }) => ttft.samples)).toEqual([400, 400]);
  });
});

describe("what is not a snapshot is refused, with its place and without its content, and nothing is added", () => {
  const good = () => throughJson(heard().snapshot()) as { format: string; data: any[] };
  const sketch = { first: 0, counts: [1] };
  const stretch = { at: null, failures: [], ttft: sketch, answered: sketch, unanswered: sketch, largestGap: sketch };
  const row = { endpoint: "a", model: "m", label: null, band: "<2k", stretches: [stretch] };
  const withRow = (change: object) => ({ format: "ttft-stats/1", data: [row, { ...row, ...change }] });
  const withStretch = (change: object) => withRow({ stretches: [{ ...stretch, ...change }] });

  it.each<[string, unknown, string]>([
    ["nothing", undefined, "the whole"],
    ["null", null, "the whole"],
    ["another format", { ...good(), format: "ttft-stats/2" }, "format"],
    ["data that is no list", { format: "ttft-stats/1", data: {} }, "data"],
    ["more at the top", { ...good(), secret: 1 }, "the whole"],
    ["an unknown band", withRow({ band: "SECRET" }), "data.1.band"],
    ["a number for a name", withRow({ endpoint: 5 }), "data.1.endpoint"],
    ["an endless name", withRow({ model: "x".repeat(201) }), "data.1.model"],
    ["four stretches", withRow({ stretches: [stretch, stretch, stretch, stretch] }), "data.1.stretches"],
    ["a time out of range", withStretch({ at: 1e300 }), "data.1.stretches.0.at"],
    ["a fraction of a sample", withStretch({ ttft: { first: 0, counts: [0.5] } }), "data.1.stretches.0.ttft.counts.0"],
    ["a negative count", withStretch({ ttft: { first: 0, counts: [-1] } }), "data.1.stretches.0.ttft.counts.0"],
    ["a huge count", withStretch({ ttft: { first: 0, counts: [2 ** 32] } }), "data.1.stretches.0.ttft.counts.0"],
    ["a bucket before the first", withStretch({ ttft: { first: -1, counts: [1] } }), "data.1.stretches.0.ttft.first"],
    ["a bucket after the last", withStretch({ ttft: { first: 5_000, counts: [1] } }), "data.1.stretches.0.ttft"],
    [
      "too many buckets",
      withStretch({ ttft: { first: 0, counts: Array(9_000).fill(1) } }),
      "data.1.stretches.0.ttft.counts",
    ],
    [
      "a failure that is a sentence",
      withStretch({ failures: [["my SECRET prompt", 1]] }),
      "data.1.stretches.0.failures.0.0",
    ],
    ["a failure named __proto__", withStretch({ failures: [["__proto__", 1]] }), "data.1.stretches.0.failures.0.0"],
    ["a field we do not know", withStretch({ SECRET: 1 }), "data.1.stretches.0"],
  ])("%s", (_, snapshot, place) => {
    const stats = createStats();
    const error = new TypeError(
      `\`snapshot\` is not what \`stats.snapshot()\` returned: ${place} is not of format ttft-stats/1`,
    );
    expect(() => stats.merge(snapshot as StatsSnapshot)).toThrow(error);
    expect(error.message).not.toContain("SECRET");
    expect(stats.percentiles()).toEqual([]);
  });

  it("a key called __proto__ changes no prototype and is refused as unknown", () => {
    const hostile = JSON.parse(
      '{"format":"ttft-stats/1","data":[{"endpoint":"a","model":"m","label":null,"band":"<2k","stretches":[],"__proto__":{"polluted":true}}]}',
    );
    const stats = createStats();
    expect(() => stats.merge(hostile)).toThrow(TypeError);
    expect(({} as { polluted?: true }).polluted).toBeUndefined();
  });

  it("names like __proto__ and constructor are only names", () => {
    const stats = createStats({
      snapshot: withRow({ endpoint: "__proto__", model: "constructor", label: "toString" }) as StatsSnapshot,
    });
    expect(stats.percentiles()[1]).toMatchObject({ endpoint: "__proto__", model: "constructor", label: "toString" });
    expect(Object.getPrototypeOf(stats.percentiles()[1])).toBe(Object.prototype);
  });

  it("more keys than there is room for end up in _OTHER", () => {
    const data = Array.from({ length: 5_000 }, (_, at) => ({ ...row, endpoint: `e${at}` }));
    const stats = createStats({ snapshot: { format: "ttft-stats/1", data } });
    expect(stats.percentiles()).toHaveLength(257);
  });
});
