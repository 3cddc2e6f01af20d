/** Percentiles of waits of which some were broken off: one that ended at t without an answer would have taken at least t. */
import { bucketOf, durationOf, type Sketch } from "./sketch.ts";

/** How long waits took until they were answered, or until somebody gave up on them. */
export interface Waits {
  readonly answered: Sketch;
  readonly unanswered?: Sketch | undefined;
}

export interface Survival {
  readonly answered: number;
  readonly unanswered: number;
  /** Samples that say something about the tail: answers, and silences that outlasted the slowest answer. */
  readonly telling: number;
  /** Nearest rank over all; the longest silence, as a lower bound, where more were given up than the percentile leaves. */
  percentile(percentile: number): number;
  /** The same over those that are answered in the end: a tail that limits are taken from has no place for what never comes. */
  answeredPercentile(percentile: number): number;
  /** The share that takes longer than this, or for ever. */
  shareAfter(ms: number): number;
}

interface Step {
  readonly bucket: number;
  /** How many of all waits are answered by then. */
  readonly reached: number;
}

/** Rounding, in samples. */
const SLACK = 1e-6;

/**
 * The estimate of Kaplan and Meier (1958) by redistribution to the right: walking up the buckets, what was given up
 * hands its weight to what lasted longer. Without silences every weight is 1 and this is the plain nearest rank.
 */
export function survivalOf(waits: Waits): Survival {
  const silences: Step[] = [];
  let unanswered = 0;
  waits.unanswered?.each((bucket, count) => {
    unanswered += count;
    silences.push({ bucket, reached: count });
  });
  const answered = waits.answered.samples;
  const steps = stepsOf(waits.answered, silences, answered + unanswered);
  const slowest = steps.at(-1) ?? { bucket: -1, reached: 0 };
  const longest = Math.max(slowest.bucket, silences.at(-1)?.bucket ?? 0);
  const late = silences.reduce((sum, { bucket, reached }) => (bucket >= slowest.bucket ? sum + reached : sum), 0);
  const valueAt = (rank: number) => durationOf(steps.find(({ reached }) => reached >= rank - SLACK)?.bucket ?? longest);
  return {
    answered,
    unanswered,
    telling: answered + late,
    // As everybody's script computes it, rounding included: 99.9 % of 1 000 is the last one.
    percentile: (percentile) => valueAt(Math.ceil((percentile / 100) * (answered + unanswered))),
    answeredPercentile: (percentile) => valueAt(Math.ceil((percentile / 100) * slowest.reached - SLACK)),
    shareAfter(ms) {
      const step = steps.filter(({ bucket }) => bucket <= bucketOf(ms)).at(-1);
      return answered + unanswered && 1 - (step?.reached ?? 0) / (answered + unanswered);
    },
  };
}

function stepsOf(answers: Sketch, silences: readonly Step[], samples: number): Step[] {
  const steps: Step[] = [];
  const waiting = [...silences].reverse();
  let left = samples;
  let weight = 1;
  let reached = 0;
  answers.each((bucket, count) => {
    for (let silence = waiting.at(-1); silence && silence.bucket < bucket; silence = waiting.at(-1)) {
      waiting.pop();
      left -= silence.reached;
      weight *= (left + silence.reached) / left;
    }
    reached += weight * count;
    left -= count;
    steps.push({ bucket, reached });
  });
  return steps;
}
