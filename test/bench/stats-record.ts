/**
 * What a sample costs, and how exact the tails are: our sketch beside `Array.push` + sort, and beside the libraries that
 * were not taken (docs/decisions/030). Those are no dependencies: `npm i --no-save @datadog/sketches-js@2.1.1
 * tdigest@0.1.3 hdr-histogram-js@3.0.1` makes them take part.
 *
 * Run: npx tsx test/bench/stats-record.ts
 */
import { Sketch } from "../../src/stats/sketch.ts";
import { survivalOf } from "../../src/stats/survival.ts";
import { createStats, fromTail } from "../../src/stats.ts";
import { attemptInfo, callInfo } from "../stats/heard.ts";
import { exactPercentiles, SHAPES, samplesOf } from "../stats/shapes.ts";

const SAMPLES = 1_000_000;
const ROUNDS = 5;
const SHARDS = 100;
const PERCENTILES = [50, 90, 99, 99.9];

interface Rival {
  readonly name: string;
  start(): any;
  add(sketch: any, ms: number): void;
  merge(into: any, other: any): void;
  percentile(sketch: any, percentile: number): number;
}

const ours: Rival = {
  name: "ours",
  start: () => new Sketch(),
  add: (sketch, ms) => sketch.add(ms),
  merge: (into, other) => into.merge(other),
  percentile: (sketch, percentile) => survivalOf({ answered: sketch }).percentile(percentile),
};

const pushAndSort: Rival = {
  name: "push + sort",
  start: () => [],
  add: (all, ms) => all.push(ms),
  merge: (into, other) => {
    for (const ms of other) into.push(ms);
  },
  percentile(all, percentile) {
    if (!all.sorted) all.sort((a: number, b: number) => a - b);
    all.sorted = true;
    return all[Math.ceil((percentile / 100) * all.length) - 1];
  },
};

async function optional(name: string): Promise<any> {
  return import(name).catch(() => {
    console.log(`${name}: not installed, left out`);
    return null;
  });
}

async function rivals(): Promise<Rival[]> {
  const datadog = await optional("@datadog/sketches-js");
  const tdigest = await optional("tdigest");
  const hdr = await optional("hdr-histogram-js");
  const found: Rival[] = [ours, pushAndSort];
  if (datadog)
    found.push({
      name: "sketches-js",
      start: () => new datadog.DDSketch({ relativeAccuracy: 0.01 }),
      add: (sketch, ms) => sketch.accept(ms),
      merge: (into, other) => into.merge(other),
      percentile: (sketch, percentile) => sketch.getValueAtQuantile(percentile / 100),
    });
  if (tdigest)
    found.push({
      name: "tdigest",
      start: () => new tdigest.TDigest(),
      add: (sketch, ms) => sketch.push(ms),
      merge: (into, other) => into.push_centroid(other.toArray()),
      percentile: (sketch, percentile) => sketch.percentile(percentile / 100),
    });
  if (hdr)
    found.push({
      name: "hdr-histogram",
      start: () => hdr.build({ highestTrackableValue: 86_400_000, numberOfSignificantValueDigits: 2 }),
      add: (sketch, ms) => sketch.recordValue(Math.round(ms)),
      merge: (into, other) => into.add(other),
      percentile: (sketch, percentile) => sketch.getValueAtPercentile(percentile),
    });
  return found;
}

/** Nanoseconds per sample for adding all and reading four percentiles. */
function timed({ start, add, percentile }: Rival, samples: Float64Array): number {
  const began = performance.now();
  const sketch = start();
  for (let at = 0; at < samples.length; at++) add(sketch, samples[at] as number);
  for (const p of PERCENTILES) percentile(sketch, p);
  return ((performance.now() - began) * 1e6) / samples.length;
}

function worstError({ percentile }: Rival, sketch: any, exact: readonly number[]): string {
  const errors = PERCENTILES.map((p, at) => Math.abs(percentile(sketch, p) / (exact[at] as number) - 1));
  return `${(Math.max(...errors) * 100).toFixed(2)} %`;
}

function merged({ start, add, merge }: Rival, samples: Float64Array): any {
  const shards = Array.from({ length: SHARDS }, start);
  samples.forEach((ms, at) => {
    add(shards[at % SHARDS], ms);
  });
  const whole = start();
  for (const shard of shards) merge(whole, shard);
  return whole;
}

async function compare(): Promise<void> {
  const all = await rivals();
  for (const [shape, draw] of Object.entries(SHAPES)) {
    const samples = samplesOf(draw, SAMPLES);
    const exact = exactPercentiles(samples, PERCENTILES);
    // Interleaved, the minimum of the rounds: whatever else runs on the machine hits all of them.
    const best = new Map<string, number>();
    for (let round = 0; round < ROUNDS; round++)
      for (const rival of all) best.set(rival.name, Math.min(best.get(rival.name) ?? Infinity, timed(rival, samples)));
    console.log(`\n${shape}: ${SAMPLES} samples`);
    for (const rival of all) {
      const one = rival.start();
      for (const ms of samples) rival.add(one, ms);
      const ns = best.get(rival.name) ?? 0;
      const ratio = (ns / (best.get("push + sort") ?? 1)).toFixed(3);
      const errors = `${worstError(rival, one, exact)}, ${SHARDS} shards merged ${worstError(rival, merged(rival, samples), exact)}`;
      console.log(
        `  ${rival.name.padEnd(14)} ${ns.toFixed(0).padStart(5)} ns/sample  ×${ratio}  worst error ${errors}`,
      );
    }
  }
}

/** The whole way: an observer that hears of an attempt, a limit that is asked for the next one. */
function observer(): void {
  const stats = createStats();
  const attempt = attemptInfo(callInfo({ label: "chat" }));
  const samples = samplesOf(SHAPES["log-normal"] as (random: () => number) => number, SAMPLES);
  const limit = fromTail(stats);
  const context = { endpoint: "a", model: "m", promptTokens: 300, band: "<2k" } as const;
  let hear = Infinity;
  let ask = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    let began = performance.now();
    for (const ms of samples) stats.firstOutput?.(attempt, ms);
    hear = Math.min(hear, ((performance.now() - began) * 1e6) / samples.length);
    began = performance.now();
    for (let at = 0; at < 10_000; at++) limit(context);
    ask = Math.min(ask, ((performance.now() - began) * 1e3) / 10_000);
  }
  console.log(`\nobserver: ${hear.toFixed(0)} ns per first output; fromTail: ${ask.toFixed(1)} µs per attempt`);
}

await compare();
observer();
