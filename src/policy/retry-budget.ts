/** Same-endpoint retries as a share of the calls: what keeps a client from becoming the outage. Fallbacks cost nothing. */
import type { RetryBudgetOptions, Settings } from "./options.ts";
import { createSlidingCount } from "./sliding-count.ts";

export type RetryBudgetSettings = Settings<RetryBudgetOptions>;

export interface RetryBudget {
  callStarted(now: number): void;
  mayRetry(now: number): boolean;
  spend(now: number): void;
}

const SLOTS = 60;

/**
 * Retries ≤ max(`minPerWindow`, `ratio` × calls started) in every window that ends with a retry: calls are forgotten up
 * to one slot early, retries up to one slot late.
 */
export function createRetryBudget({ ratio, minPerWindow, windowMs }: RetryBudgetSettings): RetryBudget {
  const calls = createSlidingCount(windowMs / SLOTS, SLOTS);
  const retries = createSlidingCount(windowMs / SLOTS, SLOTS + 1);
  return {
    callStarted: (now) => calls.add(now, 1),
    mayRetry: (now) => retries.total(now) + 1 <= Math.max(minPerWindow, ratio * calls.total(now)),
    spend: (now) => retries.add(now, 1),
  };
}
