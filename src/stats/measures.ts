/** What is counted for one key in one stretch of time. */
import { Sketch } from "./sketch.ts";

/** Reasons are a closed list, but statuses of an export and snapshots are not ours. */
const MOST_REASONS = 32;

export class Measures {
  /** Per call, of turns whose success signal arrived. */
  readonly ttft = new Sketch();
  /** Per attempt, to first output. */
  readonly answered = new Sketch();
  /** Attempts that ended in silence: first output would have taken at least this long. */
  readonly unanswered = new Sketch();
  /** Per turn, the largest of its gaps. */
  readonly largestGap = new Sketch();
  /** Calls without a success signal, by reason. */
  readonly failures = new Map<string, number>();

  fail(reason: string, count = 1): void {
    const known = this.failures.has(reason) || this.failures.size < MOST_REASONS;
    const name = known ? reason : "_OTHER";
    this.failures.set(name, (this.failures.get(name) ?? 0) + count);
  }

  merge(other: Measures, what: readonly SketchName[]): void {
    for (const name of what) this[name].merge(other[name]);
    for (const [reason, count] of other.failures) this.fail(reason, count);
  }
}

export const SKETCHES = ["ttft", "answered", "unanswered", "largestGap"] as const;
export type SketchName = (typeof SKETCHES)[number];
