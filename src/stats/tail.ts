/** Percentiles of one kind of wait, or why there are none. */
import type { Survival } from "./survival.ts";

export interface Tail {
  readonly samples: number;
  readonly p50Ms: number | null;
  readonly p90Ms: number | null;
  readonly p99Ms: number | null;
  readonly p999Ms: number | null;
  /** Why some of them are `null`. */
  readonly note: string | null;
}

/** Below this, a tail is one or two accidents. */
export const ENOUGH = 200;
/** Below this, p99.9 is the slowest sample: limits are then taken from p99. */
export const ENOUGH_FOR_P999 = 1_000;

/** All four or none: below 200 samples a tail is not estimated. */
export function tailOf(survival: Survival): Tail {
  const samples = survival.answered + survival.unanswered;
  const note = noteOf(survival);
  const at = (percentile: number) => (note === null ? survival.percentile(percentile) : null);
  return { samples, p50Ms: at(50), p90Ms: at(90), p99Ms: at(99), p999Ms: at(99.9), note };
}

function noteOf({ answered, unanswered, telling }: Survival): string | null {
  if (telling >= ENOUGH) return null;
  const samples = inWords(answered + unanswered);
  const cancelled = telling < answered + unanswered ? `, of which ${inWords(telling)} tell of the tail` : "";
  return `too few for a tail estimate: ${samples} samples${cancelled}; it takes ${ENOUGH}`;
}

/** `4 210` */
export function inWords(number: number): string {
  return Math.round(number)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, " ");
}
