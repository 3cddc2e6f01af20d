/** The memory that decisions rest on: breakers and rests by endpoint name, and the budgets. May serve many clients. */
import { CallHealth, type HealthOptions, type SharedHealth } from "./call-health.ts";
import { createEndpointTable } from "./endpoint-health.ts";
import { createHedgeCredit } from "./hedge-credit.ts";
import { createRetryBudget } from "./retry-budget.ts";
import type { BreakerState } from "./states.ts";

export interface HealthState {
  /** Counts the call for the budgets. All times given to one state are of one monotonic clock. */
  callStarted(now: number, options: HealthOptions): CallHealth;
  /** The breakers of all endpoints that were ever tried. */
  states(now: number): Readonly<Record<string, BreakerState>>;
}

export function createHealthState(): HealthState {
  const endpoints = createEndpointTable();
  const shared: SharedHealth = { endpoints, credit: createHedgeCredit(), budget: null };
  return {
    callStarted(now, options) {
      if (options.retryBudget) shared.budget ??= createRetryBudget(options.retryBudget);
      shared.budget?.callStarted(now);
      shared.credit.callStarted();
      return new CallHealth(shared, options);
    },
    states(now) {
      const states = [...endpoints].map(([name, { breaker }]) => [name, breaker?.state(now) ?? "closed"] as const);
      return Object.fromEntries(states);
    },
  };
}
