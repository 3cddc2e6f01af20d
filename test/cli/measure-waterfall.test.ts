import { describe, expect, test } from "vitest";
import { nearestRank, seriesOf, tableOf } from "../../src/cli/measure/percentiles.ts";
import { verdictOf, waterfall } from "../../src/cli/measure/waterfall.ts";
import { recordOf } from "./measure-io.ts";

const plain = (_: string, text: string) => text;
const GOOD = [{ waitMs: 100 }, "Hello", { waitMs: 100 }, " world"];

describe("the waterfall of a call", () => {
  test("shows waiting, first content and the answer to scale", async () => {
    const record = await recordOf({ good: GOOD });
    expect(waterfall(record, 60, plain)).toEqual([
      "  good  initial   h───────────────────T━━━━━━━━━━━━━━━━━━●",
      "                  complete",
      "                  0 ms                              200 ms",
      "  connected – · headers 0.0 · first event 100 · first output 100 · first content 100 · longest gap 100 · end 200 ms",
    ]);
    expect(verdictOf(record, plain)).toBe("complete (stop)");
  });

  test("puts every attempt on one axis, with what ended it", async () => {
    const record = await recordOf({ busy: [{ waitMs: 100 }, { error: "overloaded_error" }], backup: GOOD });
    const [busy, why, backup] = waterfall(record, 60, plain);
    expect(busy).toBe("  busy    initial   h───────────✕");
    expect(why).toContain("provider_error · overloaded_error · counts as 503 · the provider reported an error");
    expect(backup).toBe("  backup  fallback              h────────────T━━━━━━━━━━━●");
  });

  test("says how long it waited before a retry, and who was passed over", async () => {
    const record = await recordOf({ only: [[{ status: 503 }], ["Hello"]] });
    expect(waterfall(record, 60, plain)[1]).toContain("http_error · service_unavailable · status 503 · ");
    expect(waterfall(record, 60, plain)[3]).toContain("complete · after a wait of 1000 ms");
    const skipped = { ...record, skipped: [{ endpoint: "backup", why: "capability" as const, detail: null }] };
    expect(waterfall(skipped, 60, plain)).toContain("  backup passed over: capability");
  });

  test("ends half an answer with a cross and its reason", async () => {
    const record = await recordOf({ cut: ["Hel", { waitMs: 100 }, { end: "cut" }] });
    expect(waterfall(record, 60, plain)[0]).toMatch(/━✕$/);
    expect(verdictOf(record, (style, text) => `${style}:${text}`)).toBe("red:closed_before_terminal");
  });

  test("tells by colour what the provider ended itself", async () => {
    const record = await recordOf({ short: ["Hel", { stop: "length" }] });
    expect(verdictOf(record, (style, text) => `${style}:${text}`)).toBe("yellow:length (length)");
  });

  test("fits a narrow terminal and a call of no time at all", async () => {
    const record = await recordOf({ quick: ["Hello"] });
    for (const columns of [1, 40, 200]) expect(waterfall(record, columns, plain)[0]).toMatch(/●$/);
  });
});

describe("the table of a series", () => {
  test("takes percentiles that really occurred", () => {
    const sorted = Array.from({ length: 200 }, (_, at) => at + 1);
    expect([0, 0.5, 0.9, 0.99, 1].map((share) => nearestRank(sorted, share))).toEqual([1, 100, 180, 198, 200]);
    expect(nearestRank([], 0.5)).toBe(null);
  });

  test("counts every ending and measures only answers whose success signal came", async () => {
    const records = [await recordOf({ a: GOOD }), await recordOf({ a: ["Hel", { end: "cut" }] })];
    const series = seriesOf(records);
    expect(series.endings).toEqual({ complete: 1, closed_before_terminal: 1 });
    expect(series.rows.find(({ name }) => name === "first content")).toEqual({
      name: "first content",
      samples: 1,
      values: [100, 100, 100, 100, 100],
    });
    const table = tableOf(series);
    expect(table).toContain("  2 calls: complete 1, closed_before_terminal 1");
    expect(table.at(-1)).toContain("fewer than 200 calls");
  });

  test("has a dash where nothing was measured", async () => {
    const table = tableOf(seriesOf([await recordOf({ a: [{ status: 401 }] })]));
    expect(table.find((line) => line.includes("first content"))).toBe(`  first content      0${"        –".repeat(5)}`);
  });
});
