/** What to set, and why, in words: limits from measured tails. */
import type { Measures } from "./measures.ts";
import type { StatsKey } from "./row.ts";
import { type Survival, survivalOf } from "./survival.ts";
import { ENOUGH, ENOUGH_FOR_P999, inWords } from "./tail.ts";

export interface LimitSuggestion extends StatsKey {
  readonly firstTokenMs: number | null;
  readonly idleMs: number | null;
  /** Which tail it was taken from, e.g. `p99.9 × 1.25 of 4 210 samples`. */
  readonly basis: string;
  readonly twoAttemptsFit: boolean;
  readonly why: string;
}

export const HEADROOM = 1.25;
/** A p99 stands in for a p99.9 with this much more headroom: × 2 instead of × 1.25. */
const P99_FACTOR = 1.6;
const IDLE_FACTOR = 2;
export const SHORTEST_FIRST_TOKEN_MS = 1_000;
export const SHORTEST_IDLE_MS = 10_000;
/** What is left for the second attempt beside its median. */
const MARGIN_MS = 1_000;

interface TailLimit {
  readonly ms: number;
  readonly basis: string;
}

/**
 * A percentile with headroom; `null` if there are too few answers. Taken over what is answered in the end: with 1 % of
 * stalls the p99.9 over all would be the limit itself, and a limit taken from that would grow for ever.
 */
export function limitFromTail(survival: Survival, percentile: number, headroom: number): TailLimit | null {
  if (survival.answered < ENOUGH) return null;
  const isFar = percentile > 99 && survival.answered < ENOUGH_FOR_P999;
  const [taken, factor] = isFar ? [99, headroom * P99_FACTOR] : [percentile, headroom];
  return {
    ms: survival.answeredPercentile(taken) * factor,
    basis: `p${taken} × ${Number(factor.toFixed(2))} of ${inWords(survival.answered)} samples`,
  };
}

export interface SuggestOptions {
  readonly deadlineMs: number;
  readonly headroom?: number | undefined;
}

export function suggestionOf(measures: Measures, options: SuggestOptions): Omit<LimitSuggestion, keyof StatsKey> {
  const outputs = survivalOf(measures);
  const first = firstTokenOf(outputs, options);
  const gaps = survivalOf({ answered: measures.largestGap });
  const idle = idleOf(gaps);
  const twoAttemptsFit = first.ms !== null && 2 * first.ms <= options.deadlineMs;
  // An export has no gaps at all: nothing was measured, and nothing is said.
  const why = [first.why, first.ms && fitInWords(first.ms, options.deadlineMs), gaps.answered && idle.why];
  return {
    firstTokenMs: first.ms,
    idleMs: idle.ms,
    basis: first.basis,
    twoAttemptsFit,
    why: why.filter(Boolean).join(" "),
  };
}

interface Advice {
  readonly ms: number | null;
  readonly basis: string;
  readonly why: string;
}

function firstTokenOf(outputs: Survival, { deadlineMs, headroom = HEADROOM }: SuggestOptions): Advice {
  const limit = limitFromTail(outputs, 99.9, headroom);
  if (limit === null) return tooFew("first-token", outputs.answered, "answered attempts");
  const longest = deadlineMs - outputs.answeredPercentile(50) - MARGIN_MS;
  const ms = Math.round(Math.max(SHORTEST_FIRST_TOKEN_MS, Math.min(limit.ms, longest)));
  const silent = outputs.unanswered
    ? ` (${inWords(outputs.unanswered)} more ended in silence and count as at least that long)`
    : "";
  return {
    ms,
    basis: limit.basis,
    why: `First token ${inWords(ms)} ms: ${limit.basis}${silent} is ${inWords(limit.ms)} ms${clampInWords(limit.ms, ms, longest)}.`,
  };
}

function clampInWords(wanted: number, ms: number, longest: number): string {
  if (Math.round(wanted) === ms) return "";
  if (longest < SHORTEST_FIRST_TOKEN_MS) return ", and the deadline leaves no room for less than a second";
  return wanted < ms
    ? ", raised to a second"
    : ", lowered so that a second attempt still has its median and one second before the deadline";
}

function fitInWords(ms: number, deadlineMs: number): string {
  if (deadlineMs === Infinity) return "";
  const fits = 2 * ms <= deadlineMs;
  return `Two attempts ${fits ? "fit" : "do not fit"} the deadline of ${inWords(deadlineMs)} ms${
    fits ? "" : ": a silent first one leaves the second less than its own limit"
  }.`;
}

function idleOf(gaps: Survival): Advice {
  if (gaps.answered < ENOUGH) return tooFew("idle", gaps.answered, "turns with gaps");
  const tail = gaps.percentile(99.9);
  const ms = Math.round(Math.max(SHORTEST_IDLE_MS, tail * IDLE_FACTOR));
  const basis = `p99.9 × ${IDLE_FACTOR} of the largest gaps of ${inWords(gaps.answered)} turns`;
  const raised = tail * IDLE_FACTOR < SHORTEST_IDLE_MS ? ", raised to ten seconds" : "";
  return { ms, basis, why: `Idle ${inWords(ms)} ms: ${basis} is ${inWords(tail * IDLE_FACTOR)} ms${raised}.` };
}

function tooFew(limit: string, samples: number, of: string): Advice {
  const words = `too few for a tail estimate: ${inWords(samples)} ${of}; it takes ${ENOUGH}`;
  return { ms: null, basis: words, why: `No ${limit} limit: ${words}.` };
}
