/** `createStats()`: an observer that knows the tails of what it heard. */
import type { AttemptLimits } from "../timing/limits.ts";
import type { Observer } from "../turn/observer.ts";
import type { Measures } from "./measures.ts";
import { observerInto } from "./observe.ts";
import { onlyKnown, positive, usableLimits } from "./options.ts";
import { ROUTE_TAIL, type RouteTails, routeTailsOf } from "./route-tail.ts";
import { type StatsKey, totalOf } from "./row.ts";
import { mergeSnapshot, type StatsSnapshot, snapshotOf } from "./snapshot.ts";
import { type LimitSuggestion, type SuggestOptions, suggestionOf } from "./suggest.ts";
import { survivalOf } from "./survival.ts";
import { type Tail, tailOf } from "./tail.ts";
import { Tails } from "./tails.ts";
import { type LimitWarning, watchLimits } from "./watch-limits.ts";

export interface StatsOptions {
  /**
   * How long a sample counts, in milliseconds; `Infinity` for ever. Default 24 hours. Time is told by the calls
   * themselves: the window ends with the last one that was heard of, and is forgotten by thirds.
   */
  readonly windowMs?: number | undefined;
  /** From an earlier process: as if merged at once. */
  readonly snapshot?: StatsSnapshot | undefined;
  /** The limits you configured, to be held against what is measured. Fixed numbers only: `fromTail` follows by itself. */
  readonly limits?: Pick<AttemptLimits, "firstTokenMs" | "idleMs"> | undefined;
  /**
   * Hears, once per finding, that one of `limits` does not fit: `limit_cuts_healthy` (more than 1 % take longer or were
   * cut) or `limit_never_fires` (it is more than ten times the p99.9). Same shape as `Observer.warning`.
   */
  readonly onWarning?: ((warning: LimitWarning) => void) | undefined;
}

export interface StatsRow extends StatsKey {
  /** Per call, failed attempts inside: what users wait for. */
  readonly ttft: Tail;
  /** Per attempt, to first output: what `firstTokenMs` cuts. An attempt that the limit cut is a sample at the limit. */
  readonly firstOutput: Tail;
  /** The largest gap of each turn (single gaps would cut whole turns at their p99.9). */
  readonly largestGap: Tail;
  /** Calls whose success signal never arrived, by reason. */
  readonly failures: Readonly<Record<string, number>>;
}

export interface Stats extends Observer {
  percentiles(): StatsRow[];
  /**
   * Per row. First token: p99.9 × `headroom` (default 1.25) of the attempts that were answered, p99 × 2 of fewer than
   * 1 000, at least 1 s and at most what leaves a second attempt its median and one second before `deadlineMs`. Idle:
   * p99.9 × 2 of the largest gaps, at least 10 s. `null` below 200 samples.
   * @throws TypeError for a `deadlineMs` or `headroom` that is not above 0.
   */
  suggestLimits(options: SuggestOptions): LimitSuggestion[];
  /** JSON: send it, store it, merge it. */
  snapshot(): StatsSnapshot;
  /** @throws TypeError for what is not a snapshot; then nothing is added. */
  merge(snapshot: StatsSnapshot): void;
}

const DAY_MS = 86_400_000;

/**
 * Measures what it observes: `createClient({ observers: [stats] })`.
 *
 * Keeps call TTFT, attempts' first output and turns' largest gap per endpoint, model, label and prompt band, with a
 * relative error of at most 1 % and in less than 64 KiB each; at most 256 of them, what comes after is `_OTHER`.
 * @throws TypeError for a wrong option.
 * @example
 * const stats = createStats();
 * const client = createClient({ endpoints, observers: [stats], limits: { firstTokenMs: fromTail(stats) } });
 */
export function createStats(options: StatsOptions = {}): Stats {
  onlyKnown(options, ["windowMs", "snapshot", "limits", "onWarning"]);
  const { windowMs = DAY_MS, snapshot, limits, onWarning } = options;
  if (limits !== undefined) usableLimits(limits);
  const tails = new Tails(positive("windowMs", windowMs));
  if (snapshot !== undefined) mergeSnapshot(tails, snapshot);
  const heard = observerInto(tails);
  if (limits === undefined || onWarning === undefined) return statsOf(tails, heard);
  const watch = watchLimits(tails, limits, onWarning);
  return statsOf(tails, {
    ...heard,
    attemptEnd(attempt, result) {
      heard.attemptEnd(attempt, result);
      watch(attempt);
    },
  });
}

function statsOf(tails: Tails, heard: Observer): Stats & RouteTails {
  return {
    ...heard,
    percentiles: () => Array.from(tails.rows(), (row) => ({ ...row.key, ...percentilesOf(totalOf([row])) })),
    suggestLimits(options) {
      onlyKnown(options, ["deadlineMs", "headroom"]);
      positive("deadlineMs", options.deadlineMs);
      positive("headroom", options.headroom ?? 1);
      return Array.from(tails.rows(), (row) => ({ ...row.key, ...suggestionOf(totalOf([row]), options) }));
    },
    snapshot: () => snapshotOf(tails),
    merge: (snapshot) => mergeSnapshot(tails, snapshot),
    [ROUTE_TAIL]: routeTailsOf(tails),
  };
}

function percentilesOf(measures: Measures): Omit<StatsRow, keyof StatsKey> {
  return {
    ttft: tailOf(survivalOf({ answered: measures.ttft })),
    firstOutput: tailOf(survivalOf(measures)),
    largestGap: tailOf(survivalOf({ answered: measures.largestGap })),
    failures: Object.fromEntries(measures.failures),
  };
}
