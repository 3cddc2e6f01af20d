/** Compares a run with everything its case expects. */
import type { Expectation } from "../format.ts";
import type { Observed } from "../play/observed.ts";
import type { Played } from "../play/run.ts";
import { error } from "./error.ts";
import { each, equal, type Problem, problem, within } from "./problem.ts";
import { processCounts, requests, server, telemetry } from "./surroundings.ts";
import * as turn from "./turn.ts";

type Checks<Keys extends keyof Expectation, Actual> = {
  readonly [Key in Keys]-?: (expected: Exclude<Expectation[Key], undefined>, actual: Actual) => Problem[];
};

/** Keys that are about the run as a whole. */
const aboutRun: Checks<"requests" | "breaker" | "server" | "process" | "otel", Played> = {
  requests,
  breaker: (states, { breaker }) =>
    Object.entries(states).flatMap(([name, state]) => equal(`breaker.${name}`, state, breaker[name])),
  server,
  // `quiet` judges it.
  process: () => [],
  otel: telemetry,
};

/** All problems of a run; none means that it passed. */
export function judge(played: Played): Problem[] {
  const { expect } = played.plan;
  if (played.calls.length === 0) return [problem("calls", "none was made")];
  const last = played.calls.length - 1;
  const ofCalls = played.calls.flatMap((seen, nth) => {
    const about = Object.entries(expect).filter(([key]) => !(key in aboutRun) && (key !== "error" || nth === last));
    const found = each<any, Observed>("", Object.fromEntries(about), seen, aboutCall(played));
    const all = [...found, ...turn.loopEnd(seen, played.loaded)];
    return last === 0 ? all : all.map((each) => ({ ...each, key: `call ${nth + 1}: ${each.key}` }));
  });
  const ofRun = Object.entries(expect).filter(([key]) => key in aboutRun);
  return [...ofCalls, ...each<any, Played>("", Object.fromEntries(ofRun), played, aboutRun), ...quiet(played)];
}

/** Nothing may go unhandled, whether or not the case says so. */
function quiet(played: Played): Problem[] {
  return processCounts({ unhandledRejections: 0, uncaught: 0, ...played.plan.expect.process }, played);
}

type CallKey = Exclude<keyof Expectation, keyof typeof aboutRun | "lenient" | "reasonIfCleanDone">;

const aboutCall = ({ loaded }: Played): Checks<CallKey, Observed> => ({
  check: () => [],
  outcome: (outcome, seen) => (outcome === "n/a" ? [] : equal("outcome", outcome, seen.outcome)),
  reason: (reason, seen) => equal("reason", reason, turn.reasonOf(seen)),
  text: turn.text,
  textLength: (length, seen) => equal("textLength", length, seen.text.length),
  reasoning: turn.reasoning,
  finishReason: turn.finishReason,
  toolCalls: (calls, seen) => turn.toolCalls(calls, seen, loaded),
  usage: (usage, seen) => {
    const given = seen.turn?.usage;
    return equal("usage", usage, given && { input: given.inputTokens, output: given.outputTokens });
  },
  streamed: (streamed, seen) => equal("streamed", streamed, seen.turn?.streamed),
  flags: (flags, seen) =>
    flags.filter((name) => !turn.flag(name, seen)).map((name) => problem("flags", `${name} is not set`)),
  ttftFromEvent: (index, seen) => equal("ttftFromEvent", index, turn.timingOf(seen)?.firstContentEvent),
  firstOutputFromEvent: (index, seen) => equal("firstOutputFromEvent", index, turn.timingOf(seen)?.firstOutputEvent),
  ttftMs: (range, seen) =>
    range === null
      ? equal("ttftMs", null, turn.timingOf(seen)?.ttftMs)
      : within("ttftMs", range, turn.timingOf(seen)?.ttftMs, "time"),
  headersMs: (range, seen) => within("headersMs", range, turn.timingOf(seen)?.headersMs, "time"),
  settleMs: (range, seen) => within("settleMs", range, seen.settleMs, "time"),
  timingsFinite: turn.timingsFinite,
  served: (endpoint, seen) => equal("served", endpoint, seen.turn?.endpoint),
  attempts: turn.attempts,
  skipped: (skipped, seen) => {
    const given = (seen.turn ?? seen.callError ?? seen.record)?.skipped ?? [];
    return equal(
      "skipped",
      skipped,
      given.map(({ endpoint, why }) => ({ endpoint, why })),
    );
  },
  error,
  secondConsumer: (_, { second, asBytes }) => {
    if (!(second instanceof Error)) return [problem("secondConsumer", "the second iteration did not throw")];
    // An SDK and a platform body have errors of their own.
    return asBytes ? [] : equal("secondConsumer", "stream_already_consumed", (second as { code?: string }).code);
  },
  dropInFetch: ({ status, contentType }, { response }) =>
    equal(
      "dropInFetch",
      { status, contentType },
      response && { status: response.status, contentType: response.contentType },
    ),
  cpuMs: (range, seen) => within("cpuMs", range, seen.cpuMs, "time"),
  maxPullsWhilePaused: (max, { pullsWhilePaused }) => within("maxPullsWhilePaused", { max }, pullsWhilePaused, "count"),
});
