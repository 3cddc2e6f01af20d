/** Breakers and budgets as an opaque value, so that several clients can share what they learn of an endpoint. */
import { type Clock, systemClock } from "../base/clock.ts";
import { createHealthState, type HealthState } from "../policy/health.ts";
import type { BreakerState } from "../policy/states.ts";

/** Opaque. */
export interface Health {
  readonly states: () => Readonly<Record<string, BreakerState>>;
}

/** Holds the state where another copy of this package finds it, too. */
const STATE = Symbol.for("ttft.health");

/**
 * Breakers and budgets for several clients and drop-ins: `createClient({ health })`. All of them have to use one clock.
 *
 * @example
 * const health = createHealth();
 * health.states(); // {}
 */
export function createHealth(options: { readonly clock?: Clock | undefined } = {}): Health {
  const { clock = systemClock } = options;
  const state = createHealthState();
  const health: Health = { states: () => state.states(clock.now()) };
  return Object.defineProperty(health, STATE, { value: state });
}

/** `undefined` for what `createHealth` did not make. */
export function healthStateOf(health: Health): HealthState | undefined {
  return (health as { [STATE]?: HealthState })[STATE];
}
