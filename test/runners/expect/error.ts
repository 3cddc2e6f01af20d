/** Judges the failure of a call, or the error of an incomplete turn. */
import type { ExpectedError } from "../format.ts";
import type { Observed } from "../play/observed.ts";
import { each, equal, type Problem, problem } from "./problem.ts";

export const error = (expected: ExpectedError, seen: Observed): Problem[] =>
  each<ExpectedError, Observed>("error.", expected, seen, {
    status: (status, { failure, response, rejection }) => [
      ...equal("error.status", status, failure?.status),
      // What the drop-in's caller sees must say the same.
      ...(response && !seen.turn ? equal("status of the error response", status, response.status) : []),
      ...(isSdkError(rejection) ? equal("status of the SDK's error", status, rejection.status) : []),
    ],
    providerType: (type, { failure }) => equal("error.providerType", type, failure?.providerType),
    providerCode: (code, { failure }) => equal("error.providerCode", code, failure?.providerCode),
    messageIncludes: (part, { failure }) =>
      failure?.providerMessage?.includes(part)
        ? []
        : [problem("error.messageIncludes", `"${part}" is not in ${JSON.stringify(failure?.providerMessage)}`)],
    fallbackEligible: (eligible, { fallbackEligible }) =>
      fallbackEligible === null
        ? [problem("error.fallbackEligible", "the policy was not asked")]
        : equal("error.fallbackEligible", eligible, fallbackEligible),
    retryAfterMs: (ms, { callError, failure }) =>
      equal("error.retryAfterMs", ms, callError?.retryAfterMs ?? failure?.retryAfterMs),
    budgetExhausted: (exhausted, { callError }) =>
      equal("error.budgetExhausted", exhausted, callError?.budgetExhausted),
    contentType: (type, { failure }) =>
      equal("error.contentType", type, failure?.contentType?.split(";")[0]?.trim().toLowerCase()),
    hasCause: () => (causesOf(seen).length > 0 ? [] : [problem("error.hasCause", "there is no cause")]),
    causeCode: (code) =>
      causesOf(seen).some((cause) => (cause as { code?: unknown }).code === code)
        ? []
        : [problem("error.causeCode", `no "${code}" on the chain of causes`)],
    causeIsAbortReason: (_, { abortReason }) =>
      abortReason !== undefined && causesOf(seen).includes(abortReason)
        ? []
        : [problem("error.causeIsAbortReason", "the caller's reason is not among the causes")],
  });

/** An HTTP error of the SDK's own, as opposed to one of ours. */
const isSdkError = (value: unknown): value is { readonly status: number } =>
  value instanceof Error && "headers" in value && "status" in value && typeof value.status === "number";

/** The cause of the failure, and what caused that, as far as it goes. */
function causesOf({ failure, callError, rejection, thrown }: Observed): unknown[] {
  const causes: unknown[] = [];
  // The drop-in throws the caller's reason itself, as every `fetch` does.
  const roots = [failure?.cause, callError?.cause, callError ? undefined : (rejection ?? thrown)];
  for (const root of roots)
    for (let cause = root; cause && !causes.includes(cause); cause = (cause as { cause?: unknown }).cause)
      causes.push(cause);
  return causes;
}
