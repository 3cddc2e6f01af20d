/** The default decision after a failed attempt: again here, on to the next endpoint, or the end. */
import { permits } from "./classify.ts";
import type { Decision, PolicyInput, RetryOptions, Settings } from "./options.ts";

/** `minAttemptMs`: what has to be left of the deadline for another attempt to be worth starting. */
export type RetrySettings = Omit<Settings<RetryOptions>, "maxAttempts"> & { readonly minAttemptMs: number };

/** 200 clients that were told the same moment do not come back in the same one: up to a quarter later. */
const LATER = 0.25;

/** The wait that the back-off or the server's own `retry-after` asks for; `null` if no retry is due. */
function waitOf(input: PolicyInput, settings: RetrySettings, anotherLeft: boolean): number | null {
  const { failure, attemptsHere, remainingMs, random } = input;
  const roomMs = remainingMs - settings.minAttemptMs;
  const asked = failure.retryAfterMs;
  if (asked === null) {
    const backoff = settings.baseDelayMs * 2 ** Math.max(0, attemptsHere - 1);
    const wait = Math.min(settings.maxDelayMs, backoff) * (0.5 + random);
    return wait <= roomMs ? wait : null;
  }
  // Waiting in line beside a healthy endpoint costs more than moving (4.5 s against 1 s in the simulation).
  if (asked > (anotherLeft ? 0 : settings.maxRetryAfterMs) || !(asked <= roomMs)) return null;
  return Math.min(asked * (1 + LATER * random), roomMs);
}

/**
 * While another usable endpoint is left, `beforeFallback` retries and then on; at the last one `maxRetries`, then the
 * end. A retry that the budget denies, or that does not fit the deadline, moves on like one that is not permitted.
 * Deadline and `maxAttempts` are the driver's to enforce on what comes next.
 */
export function decide(input: PolicyInput, settings: RetrySettings): Decision {
  const { retry, fallback } = permits(input.failure);
  const anotherLeft = fallback && input.endpointsLeft > 0;
  const retries = anotherLeft ? settings.beforeFallback : settings.maxRetries;
  if (retry && input.budgetLeft && input.attemptsHere <= retries) {
    const delayMs = waitOf(input, settings, anotherLeft);
    if (delayMs !== null) return { action: "retry", delayMs };
  }
  return { action: anotherLeft ? "fallback" : "end" };
}

/** Did the budget, and nothing else, end the call? */
export function isBudgetExhausted(input: PolicyInput, settings: RetrySettings): boolean {
  const decideWith = (budgetLeft: boolean) => decide({ ...input, budgetLeft }, settings).action;
  return !input.budgetLeft && decideWith(false) === "end" && decideWith(true) === "retry";
}
