/** What the policy does where nothing is set. */
import type { BreakerOptions, RetryBudgetOptions, RetryOptions, Settings } from "./options.ts";

/** Of one call: enough that every endpoint of its chain can be asked. */
export const maxAttemptsFor = (endpoints: number): number => Math.max(4, endpoints);

/** Without `maxAttempts`, which depends on the chain. */
export const retryDefaults: Omit<Settings<RetryOptions>, "maxAttempts"> = {
  maxRetries: 2,
  beforeFallback: 0,
  baseDelayMs: 1_000,
  maxDelayMs: 8_000,
  maxRetryAfterMs: 5_000,
};

export const breakerDefaults: Settings<BreakerOptions> = {
  consecutiveFailures: 5,
  failureRatio: 0.5,
  minCalls: 10,
  windowMs: 60_000,
  minSpanMs: 1_000,
  silentAttempts: 3,
  silentForMs: 10_000,
  openMs: 5_000,
  maxOpenMs: 60_000,
};

export const retryBudgetDefaults: Settings<RetryBudgetOptions> = { ratio: 0.2, minPerWindow: 3, windowMs: 60_000 };
