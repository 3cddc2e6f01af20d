/** What the parent asks a child for, and what a child answers: numbers by name. */
import type { Plan } from "../stub/plan.ts";

export interface Ordered {
  readonly kind: "bulk" | "crowd" | "pairs" | "held" | "endless";
  /** The module that has the column, as built. */
  readonly module: string;
  readonly column: string;
  readonly port: number;
  readonly plan: Plan;
  /** What the plan comes to on the wire. */
  readonly payloadBytes: number;
  /** What runs before anything is measured. */
  readonly warmUp: Plan;
  readonly warmUpBytes: number;
  readonly streams: number;
  /** The drained body that pairs are compared with. */
  readonly floorModule: string;
}

export type Sample = Readonly<Record<string, number>>;
