/** Breakers and budgets, shared between clients. */
import type { BreakerState } from "../policy/states.ts";

/** Opaque. */
export interface Health {
  readonly states: () => Readonly<Record<string, BreakerState>>;
}
