/** What limits are taken from: the tail of one endpoint, model and band, over all labels. */
import type { LimitContext } from "../timing/limits.ts";
import { modelName } from "./observe.ts";
import { totalOf } from "./row.ts";
import { type Survival, survivalOf } from "./survival.ts";
import type { Tails } from "./tails.ts";

interface RouteTail {
  readonly outputs: Survival;
  /** What a limit must not be below, since too many of the last attempts were cut there. */
  readonly floorMs: number;
}

/** A registered symbol: `fromTail` of one copy of this module may get the stats of another. */
export const ROUTE_TAIL: unique symbol = Symbol.for("ttft.stats.route-tail") as never;

export interface RouteTails {
  readonly [ROUTE_TAIL]: (context: LimitContext) => RouteTail | null;
}

export function routeTailsOf(tails: Tails): RouteTails[typeof ROUTE_TAIL] {
  return ({ endpoint, model, band }) => {
    const rows = tails.rowsOf(endpoint, modelName(model), band);
    const [row] = rows;
    return row === undefined
      ? null
      : { outputs: survivalOf(totalOf(rows, ["answered", "unanswered"])), floorMs: row.recent.floorMs() };
  };
}
