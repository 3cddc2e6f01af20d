/** Seeded samples in the shapes that latencies take, and what a sort says of them. */

/** Mulberry32: the same numbers every time. */
export function randomFrom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

export function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

export function logNormal(random: () => number, medianMs: number, sigma: number): number {
  return medianMs * Math.exp(sigma * normal(random));
}

const HOUR_MS = 3_600_000;

export const SHAPES: Readonly<Record<string, (random: () => number) => number>> = {
  "log-normal": (random) => logNormal(random, 800, 0.6),
  bimodal: (random) => (random() < 0.8 ? logNormal(random, 500, 0.2) : logNormal(random, 9_000, 0.3)),
  "heavy-tailed": (random) => Math.min(HOUR_MS, 200 * (1 - random()) ** (-1 / 1.1)),
  constant: () => 1_234.5,
};

export function samplesOf(shape: (random: () => number) => number, count: number, seed = 7): Float64Array {
  const random = randomFrom(seed);
  return Float64Array.from({ length: count }, () => shape(random));
}

/** Nearest rank over all samples, by sorting them. */
export function exactPercentiles(samples: Float64Array, percentiles: readonly number[]): number[] {
  const sorted = Float64Array.from(samples).sort();
  return percentiles.map((percentile) => sorted[Math.ceil((percentile / 100) * sorted.length) - 1] as number);
}
