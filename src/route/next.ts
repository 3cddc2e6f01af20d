/** What a failed attempt leads to: the question to the policy, and what only the router adds to its answer. Pure. */
import type { Failure } from "../base/failure.ts";
import { askPolicy } from "../policy/ask.ts";
import { provesNotExecuted } from "../policy/classify.ts";
import { isBudgetExhausted } from "../policy/decide.ts";
import type { Decision, PolicyInput } from "../policy/options.ts";
import type { Call } from "./call.ts";
import type { ResolvedEndpoint } from "./endpoint.ts";
import { remainingMsOf } from "./limits.ts";

export interface Position {
  readonly now: number;
  readonly attemptsHere: number;
  readonly endpointsLeft: number;
  readonly budgetLeft: boolean;
  /** All attempts of the call so far. */
  readonly attempts: number;
}

export interface NextStep {
  readonly decision: Decision;
  /** The caller's policy gave none. */
  readonly broken: boolean;
  /** The budget, and nothing else, ends the call. */
  readonly budgetExhausted: boolean;
}

const END: Decision = { action: "end" };

/** Whatever the policy says, the bounds of the call hold. */
export function nextStep(call: Call, endpoint: ResolvedEndpoint, failure: Failure, position: Position): NextStep {
  const { now, attemptsHere, endpointsLeft, budgetLeft } = position;
  const limits = call.limitsOf(endpoint);
  const remainingMs = remainingMsOf(limits, call.startedAt, now);
  const random = call.random();
  const input: PolicyInput = {
    failure,
    endpoint: endpoint.name,
    attemptsHere,
    endpointsLeft,
    remainingMs,
    budgetLeft,
    random,
  };
  const settings = { ...call.retry, minAttemptMs: limits.minAttemptMs };
  const { decision, broken } = askPolicy(call.policy, input, settings);
  const forbidden =
    position.attempts >= call.retry.maxAttempts ||
    (call.hasEffects && !provesNotExecuted(failure)) ||
    (decision.action === "fallback" && endpointsLeft === 0);
  return { decision: forbidden ? END : decision, broken, budgetExhausted: isBudgetExhausted(input, settings) };
}
