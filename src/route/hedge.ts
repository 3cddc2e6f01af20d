/** When a second endpoint starts beside a silent first one. */
import type { LimitContext } from "../timing/limits.ts";

export interface HedgeOptions {
  /** Silence before the next endpoint starts beside the first. Default 30 000. A number, or the same kind of function as `firstTokenMs`. */
  readonly afterMs: number | ((context: LimitContext) => number | null);
}
