/** A scenario: one kind of measurement, in rounds, of several cells. */
import type { Ordered } from "./child/sample.ts";
import type { Plan } from "./stub/plan.ts";

/** One measured thing; of a round, every cell of a scenario runs once. */
export interface Cell {
  readonly name: string;
  readonly column: string;
  readonly plan: Plan;
  readonly streams: number;
  /** The cell that it is compared with, round by round. */
  readonly against: string | null;
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  readonly kind: Ordered["kind"];
  readonly rounds: number;
  readonly warmUp: Plan;
  readonly cells: readonly Cell[];
}
