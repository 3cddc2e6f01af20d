/** A limit that follows the measured tail. */
import { DEFAULT_LIMITS, type LimitContext } from "../timing/limits.ts";
import { onlyKnown, positive } from "./options.ts";
import { ROUTE_TAIL, type RouteTails } from "./route-tail.ts";
import type { Stats } from "./stats.ts";
import { HEADROOM, limitFromTail } from "./suggest.ts";

export interface FromTailOptions {
  /** From 1 to below 100. Default 99.9. From 99 on it is a limit that cuts, and is doubled while it cuts too many; below, a point to pass (a hedge). */
  readonly percentile?: number | undefined;
  /** Default 1.25. */
  readonly headroom?: number | undefined;
  /** Default 1 000. */
  readonly minMs?: number | undefined;
  /** Default 120 000, the first-token limit where nothing is known. */
  readonly maxMs?: number | undefined;
  /** Until there are enough samples. Default: the limit's own default. */
  readonly untilThenMs?: number | undefined;
}

const OPTIONS = ["percentile", "headroom", "minMs", "maxMs", "untilThenMs"] as const;
const CUTS_FROM_PERCENTILE = 99;

/**
 * A limit that follows the measured tail, for `limits.firstTokenMs` and `hedge.afterMs`: the percentile of first output
 * of the attempt's endpoint, model and prompt band, × `headroom`, between `minMs` and `maxMs`. Below 1 000 samples a
 * percentile above 99 is taken as p99 × 1.6; below 200 the limit is `untilThenMs`.
 *
 * When more than 2 % of the last 200 attempts were cut by the limit it doubles until that share falls. Stalls do not
 * raise it further: what is never answered is no part of the tail.
 * @throws TypeError for stats that `createStats` did not make, and for a wrong option.
 * @example
 * const limits = { firstTokenMs: fromTail(stats, { untilThenMs: 30_000 }) };
 * const hedge = { afterMs: fromTail(stats, { percentile: 95, headroom: 1 }) };
 */
export function fromTail(stats: Stats, options: FromTailOptions = {}): (context: LimitContext) => number | null {
  const tailFor = (stats as Partial<RouteTails>)[ROUTE_TAIL];
  if (tailFor === undefined) throw new TypeError("`stats` must come from createStats()");
  onlyKnown(options, OPTIONS);
  const { percentile = 99.9, headroom = HEADROOM, minMs = 1_000, maxMs = DEFAULT_LIMITS.firstTokenMs } = options;
  const { untilThenMs } = options;
  for (const name of OPTIONS) positive(name, options[name] ?? 1);
  if (percentile < 1 || percentile >= 100)
    throw new TypeError(`\`percentile\` must be at least 1 and below 100, got ${percentile}`);
  if (minMs > maxMs) throw new TypeError(`\`minMs\` must not be above \`maxMs\`, got ${minMs} and ${maxMs}`);
  return (context) => {
    const tail = tailFor(context);
    const learnt = tail && limitFromTail(tail.outputs, percentile, headroom);
    const limit = learnt ? Math.min(Math.max(learnt.ms, minMs), maxMs) : untilThenMs;
    if (limit === undefined) return null;
    const floorMs = tail && percentile >= CUTS_FROM_PERCENTILE ? Math.min(tail.floorMs, maxMs) : 0;
    return Math.round(Math.max(limit, floorMs));
  };
}
