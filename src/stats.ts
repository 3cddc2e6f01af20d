/**
 * `ttft/stats`: percentiles of what is really waited for, limits suggested from them, and limits that follow them.
 *
 * @module
 */
export { type FromTailOptions, fromTail } from "./stats/from-tail.ts";
export type { StatsKey } from "./stats/row.ts";
export type { StatsSnapshot } from "./stats/snapshot.ts";
export { createStats, type Stats, type StatsOptions, type StatsRow } from "./stats/stats.ts";
export type { LimitSuggestion, SuggestOptions } from "./stats/suggest.ts";
export type { Tail } from "./stats/tail.ts";
export type { LimitWarning } from "./stats/watch-limits.ts";
