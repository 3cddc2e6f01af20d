/** The caller's policy, asked in a way that cannot hurt the call. */
import { ignoreRejection } from "../base/ignore-rejection.ts";
import { decide, type RetrySettings } from "./decide.ts";
import type { Decision, Policy, PolicyInput } from "./options.ts";

function isDecision(value: any): value is Decision {
  if (value?.action === "retry")
    return typeof value.delayMs === "number" && value.delayMs >= 0 && value.delayMs < Infinity;
  return value?.action === "fallback" || value?.action === "end";
}

/** One that throws, or answers with anything but a decision, gets the default one: `broken` says so, to be reported once. */
export function askPolicy(
  policy: Policy | undefined,
  input: PolicyInput,
  settings: RetrySettings,
): { readonly decision: Decision; readonly broken: boolean } {
  const next = (given: PolicyInput) => decide(given, settings);
  try {
    const decision = policy ? policy(input, next) : next(input);
    if (isDecision(decision)) return { decision, broken: false };
    ignoreRejection(decision);
  } catch {
    // Reported by `broken`: the error may hold anything, so it is not passed on.
  }
  return { decision: next(input), broken: true };
}
