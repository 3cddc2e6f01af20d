/** Counts durations in logarithmic buckets: any percentile to within 1 %, in bounded memory, and merging loses nothing. */

/** A bucket ends 2 % above where it begins: what stands for it is at most 0.99 % from everything in it. */
const GAMMA = 1.02;
const PER_LOG = 1 / Math.log(GAMMA);
/** What is shorter counts as this. */
const SHORTEST_MS = 0.125;
/** What is longer counts as this: a day. */
const LONGEST_MS = 86_400_000;
/** Memory grows by so many buckets at a time. */
const STEP = 16;
/** Where a 32-bit counter stops instead of starting over. */
const MOST = 2 ** 32 - 1;

/** The bucket that a duration is counted in. */
export function bucketOf(ms: number): number {
  return ms > SHORTEST_MS ? Math.ceil(Math.log(Math.min(ms, LONGEST_MS) / SHORTEST_MS) * PER_LOG) : 0;
}

/** The duration that a bucket stands for. */
export function durationOf(bucket: number): number {
  return bucket === 0 ? SHORTEST_MS : (SHORTEST_MS * GAMMA ** bucket * 2) / (GAMMA + 1);
}

/** How many buckets there are between the shortest and the longest duration. */
export const BUCKETS = bucketOf(LONGEST_MS) + 1;

/** The counts from the first bucket in use to the last. */
export interface SketchJson {
  readonly first: number;
  readonly counts: readonly number[];
}

/**
 * Relative error at most 1 % between 0.125 ms and 24 hours. It keeps the buckets from the shortest sample to the longest:
 * about 1 KiB for waits between 100 ms and a minute, 4.1 KiB at the very most.
 */
export class Sketch {
  #first = 0;
  #counts = new Uint32Array(0);

  /** Hot path: runs once per sample. */
  add(ms: number): void {
    this.addTo(bucketOf(ms), 1);
  }

  addTo(bucket: number, count: number): void {
    let at = bucket - this.#first;
    if (at < 0 || at >= this.#counts.length) {
      this.#reach(bucket);
      at = bucket - this.#first;
    }
    this.#counts[at] = Math.min((this.#counts[at] as number) + count, MOST);
  }

  merge(other: Sketch): void {
    if (other.#counts.length === 0) return;
    this.#reach(other.#first, other.#first + other.#counts.length - 1);
    other.each((bucket, count) => {
      this.addTo(bucket, count);
    });
  }

  /** The buckets that hold something, shortest durations first. */
  each(visit: (bucket: number, count: number) => void): void {
    // Plain loops: a limit that follows the tail walks these counts once per attempt.
    for (let at = 0; at < this.#counts.length; at++) {
      const count = this.#counts[at] as number;
      if (count > 0) visit(this.#first + at, count);
    }
  }

  get samples(): number {
    let sum = 0;
    for (let at = 0; at < this.#counts.length; at++) sum += this.#counts[at] as number;
    return sum;
  }

  /** What the counts take in memory. */
  get bytes(): number {
    return this.#counts.byteLength;
  }

  toJSON(): SketchJson {
    const used = [...this.#counts];
    const begin = Math.max(0, used.findIndex(Boolean));
    while (used.at(-1) === 0) used.pop();
    return { first: this.#first + begin, counts: used.slice(begin) };
  }

  /** Makes room for these buckets beside those that are there already, in whole steps. */
  #reach(lowest: number, highest = lowest): void {
    const { length } = this.#counts;
    const from = Math.min(lowest - (lowest % STEP), length ? this.#first : lowest);
    const to = Math.max(highest - (highest % STEP) + STEP, length ? this.#first + length : 0);
    const grown = new Uint32Array(Math.min(to, BUCKETS) - from);
    grown.set(this.#counts, length ? this.#first - from : 0);
    this.#counts = grown;
    this.#first = from;
  }
}
