/** The order in which gateways have long done it, for those who want to keep it. */
import type { FallbackOptions, RetryOptions } from "./options.ts";

/**
 * The order of a classic gateway, to spread into the options: one retry of 200 ms (doubling, at most 2 s, ± 50 %) at
 * the same endpoint, then at most two fallbacks. No hedge.
 */
export const classicPolicy: {
  readonly retry: RetryOptions;
  readonly fallback: FallbackOptions;
  readonly hedge: false;
} = {
  // Three endpoints, each tried and retried once.
  retry: { maxRetries: 1, beforeFallback: 1, baseDelayMs: 200, maxDelayMs: 2_000, maxAttempts: 6 },
  fallback: { maxFallbacks: 2 },
  hedge: false,
};
