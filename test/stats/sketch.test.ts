import { describe, expect, it } from "vitest";
import { BUCKETS, bucketOf, durationOf, Sketch } from "../../src/stats/sketch.ts";
import { survivalOf } from "../../src/stats/survival.ts";
import { exactPercentiles, SHAPES, samplesOf } from "./shapes.ts";

const MILLION = 1_000_000;
const PERCENTILES = [50, 90, 99, 99.9];

function sketchOf(samples: Iterable<number>): Sketch {
  const sketch = new Sketch();
  for (const ms of samples) sketch.add(ms);
  return sketch;
}

function worstError(sketch: Sketch, samples: Float64Array): number {
  const { percentile } = survivalOf({ answered: sketch });
  const exact = exactPercentiles(samples, PERCENTILES);
  return Math.max(...PERCENTILES.map((p, at) => Math.abs(percentile(p) / (exact[at] as number) - 1)));
}

describe("percentiles of a million samples are within 1 % of the exact nearest rank", () => {
  for (const [name, shape] of Object.entries(SHAPES)) {
    it(`of a ${name} shape, in one pass and merged from 100 shards`, () => {
      const samples = samplesOf(shape, MILLION);
      const whole = sketchOf(samples);
      const shards = Array.from({ length: 100 }, () => new Sketch());
      for (const [at, ms] of samples.entries()) shards[at % 100]?.add(ms);
      const merged = new Sketch();
      for (const shard of shards) merged.merge(shard);
      expect(worstError(whole, samples)).toBeLessThanOrEqual(0.01);
      expect(merged.toJSON()).toEqual(whole.toJSON());
    });
  }
});

describe("a bucket", () => {
  it("stands for a duration within 1 % of everything in it, from an eighth of a millisecond to a day", () => {
    for (let ms = 0.125; ms < 86_400_000; ms *= 1.001_7) {
      expect(Math.abs(durationOf(bucketOf(ms)) - ms) / ms).toBeLessThanOrEqual(0.01);
    }
  });

  it("takes what is shorter or longer than that, and zero, without growing", () => {
    expect(bucketOf(0)).toBe(0);
    expect(bucketOf(0.000_1)).toBe(0);
    expect(bucketOf(Number.MAX_VALUE)).toBe(BUCKETS - 1);
    expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(BUCKETS - 1);
  });
});

describe("a sketch", () => {
  it("keeps only the buckets between its shortest and its longest sample", () => {
    const waits = sketchOf([100, 60_000]);
    expect(waits.bytes).toBeLessThan(1_500);
    expect(sketchOf([0, Number.MAX_VALUE]).bytes).toBe(BUCKETS * 4);
    expect(new Sketch().bytes).toBe(0);
  });

  it("grows towards both ends without losing a count", () => {
    const sketch = sketchOf([500, 500, 20, 90_000, 0.001]);
    expect(sketch.samples).toBe(5);
    const seen: number[] = [];
    sketch.each((bucket, count) => {
      seen.push(...Array.from({ length: count }, () => Math.round(durationOf(bucket) * 100) / 100));
    });
    expect(seen).toHaveLength(5);
    expect(seen[0]).toBe(0.13);
    expect(seen.at(-1)).toBeGreaterThan(89_000);
  });

  it("stops counting at 2^32 − 1 instead of starting over", () => {
    const sketch = new Sketch();
    sketch.addTo(10, 2 ** 32 - 1);
    sketch.addTo(10, 5);
    sketch.merge(sketchOf([durationOf(10)]));
    expect(sketch.samples).toBe(2 ** 32 - 1);
  });
});
