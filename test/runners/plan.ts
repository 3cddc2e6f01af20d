/** In how many ways a case is played: over HTTP, in memory, and again where its expectations say "the same case again". */
import type { CaseClient, Expectation, Step, StreamCase } from "./format.ts";

export interface Plan {
  readonly script: StreamCase;
  readonly stub: "http" | "isolated" | "memory";
  readonly via: CaseClient["via"] | null;
  readonly lenient: boolean;
  /** What makes this run differ from the case as written. */
  readonly variant: "lenient" | "clean end" | "drop-in" | null;
  readonly expect: Expectation;
}

export const nameOf = ({ script, stub, variant }: Plan) => [script.id, stub, variant].filter(Boolean).join(" ");

export function plansFor(script: StreamCase): Plan[] {
  const { lenient, reasonIfCleanDone, dropInFetch, ...expect } = script.expect;
  const plans = stubsFor(script.client).flatMap((stub): Plan[] => {
    const base: Plan = { script, stub, via: script.client.via ?? null, lenient: false, variant: null, expect };
    const again: Plan[] = [base];
    if (lenient) again.push({ ...base, lenient: true, variant: "lenient", expect: leniently(expect, lenient) });
    if (dropInFetch) again.push({ ...base, via: "fetch", variant: "drop-in", expect: { outcome: "n/a", dropInFetch } });
    return again;
  });
  if (reasonIfCleanDone) plans.push(cleanEnd(script, { ...expect, reason: reasonIfCleanDone }));
  return plans.map((plan) => (plan.stub === "memory" ? withoutServer(plan) : plan));
}

function stubsFor(client: CaseClient): Plan["stub"][] {
  if (client.stub === "memory") return ["memory"];
  if (client.serverIsolated) return ["isolated"];
  // A server in the same process would be measured with the call.
  return [client.observe === "cpu" ? "isolated" : "http", "memory"];
}

function leniently(expect: Expectation, replaced: object): Expectation {
  const merged: Expectation = { ...expect, ...replaced };
  if (merged.outcome !== "complete") return merged;
  const { reason: _, error: __, ...complete } = merged;
  return complete;
}

/** What the reset itself brought about, its cause and its socket, is not expected here. */
function cleanEnd(script: StreamCase, { error: _, process: __, ...expect }: Expectation): Plan {
  const close = (steps: readonly Step[]) => steps.map((step) => (step.reset ? { close: true as const } : step));
  const targets = Object.entries(script.targets ?? {}).map(([name, answers]) => [
    name,
    answers.map((answer) => ({ ...answer, steps: close(answer.steps) })),
  ]);
  const closed: StreamCase = {
    ...script,
    steps: close(script.steps),
    ...(script.targets && { targets: Object.fromEntries(targets) }),
  };
  const via = script.client.via ?? null;
  return { script: closed, stub: "memory", via, lenient: false, variant: "clean end", expect };
}

const withoutServer = (plan: Plan): Plan => {
  const { server: _, ...expect } = plan.expect;
  return { ...plan, expect };
};
