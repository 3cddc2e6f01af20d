import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { Tails } from "../../src/stats/tails.ts";

const LIMIT_BYTES = 64 * 1024;
const KEYS = 200;

function usedBytes(): number {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  collect();
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

it("a key takes less than 64 KiB whatever is recorded: every bucket of every sketch in every part of the window", () => {
  const tails = new Tails(3, KEYS);
  const before = usedBytes();
  for (let key = 0; key < KEYS; key++) {
    const row = tails.row({ endpoint: `endpoint-${key}`, model: "m", label: null, band: "<2k" });
    for (const stretch of [0, -1, -2]) {
      const measures = row.filling(stretch);
      for (const sketch of [measures.ttft, measures.answered, measures.unanswered, measures.largestGap])
        for (let ms = 0.1; ms < 2 ** 31; ms *= 1.01) sketch.add(ms);
      for (let at = 0; at < 1_000; at++) measures.fail(`reason_${at}`);
    }
  }
  const perKey = (usedBytes() - before) / KEYS;
  expect([...tails.rows()]).toHaveLength(KEYS);
  expect(perKey).toBeGreaterThan(40 * 1024);
  expect(perKey).toBeLessThan(LIMIT_BYTES);
});
