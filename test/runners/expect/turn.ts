/** Judges what one call gave: its outcome, its text, its tools and its times. */
import type { Timing, ToolCall, ToolFragment, Turn } from "../../../src/index.ts";
import type { Expectation, ExpectedAttempt, ExpectedTool, Flag } from "../format.ts";
import type { Loaded } from "../library.ts";
import type { Observed } from "../play/observed.ts";
import { equal, type Problem, problem } from "./problem.ts";

export const timingOf = ({ turn, callError, record }: Observed): Timing | null =>
  turn?.timing ?? callError?.timing ?? record?.timing ?? null;

export function reasonOf({ turn, callError, failure, record }: Observed): string | null {
  if (turn) return turn.status === "incomplete" ? turn.reason : null;
  if (callError?.code === "aborted") return "aborted";
  return (
    callError?.failure?.reason ?? (record && record.outcome !== "complete" ? record.outcome : (failure?.reason ?? null))
  );
}

const textOf = (turn: Turn) => (turn.status === "complete" ? turn.text : turn.partialText);
const reasoningOf = (turn: Turn) => (turn.status === "complete" ? turn.reasoning : turn.partialReasoning);

/** The consumer's pieces, and the turn's account of them; who left early may have got less than had arrived. */
export function text(expected: string, seen: Observed): Problem[] {
  const consumed = equal("text", expected, seen.text);
  // The drop-in's turn is metadata only.
  if (!seen.turn || seen.asBytes) return consumed;
  return [
    ...consumed,
    ...equal("text of the turn", seen.left ? true : expected, kept(expected, seen, textOf(seen.turn))),
  ];
}

const kept = (expected: string, { left }: Observed, actual: string) => (left ? actual.startsWith(expected) : actual);

export function reasoning(expected: string, seen: Observed): Problem[] {
  const turn = seen.turn && !seen.asBytes ? equal("reasoning of the turn", expected, reasoningOf(seen.turn)) : [];
  return [...equal("reasoning", expected, seen.reasoning), ...turn];
}

/** Half an answer must end its loop with an error, and a whole one must not. */
export function loopEnd({ turn, thrown, left, asBytes }: Observed, { library }: Loaded): Problem[] {
  if (!turn || left) return [];
  if (turn.status === "complete") return thrown === undefined ? [] : [problem("loop", `threw ${String(thrown)}`)];
  const { findTtftError = (error: unknown) => library.isTtftError?.(error) } = library;
  const found = thrown !== undefined && findTtftError(thrown);
  // Bytes end as the provider ended them, and an abort is the caller's own reason; events always end with our error.
  if (found || (asBytes && (turn.terminal || turn.reason === "aborted"))) return [];
  return [problem("loop", `expected IncompleteTurnError, got ${thrown === undefined ? "an end" : String(thrown)}`)];
}

export function toolCalls(expected: readonly ExpectedTool[], seen: Observed, loaded: Loaded): Problem[] {
  const { turn } = seen;
  if (!turn) return [problem("toolCalls", "there is no turn")];
  const calls: readonly (ToolCall | ToolFragment)[] = turn.status === "complete" ? turn.toolCalls : turn.toolFragments;
  const executed = execute(turn, loaded);
  return [
    ...equal(
      "toolCalls",
      expected.map(({ id, name }) => ({ id, name })),
      calls.map(({ id, name }) => ({ id, name })),
    ),
    ...expected.flatMap((tool, index) => tool && toolCall(`toolCalls[${index}].`, tool, calls[index], executed)),
  ];
}

const argumentsOf = (call: ToolCall | ToolFragment) => ("arguments" in call ? call.arguments : call.argumentsFragment);

interface Executed {
  readonly threw: boolean;
  readonly inputs: ReadonlyMap<string, unknown>;
}

function execute(turn: Turn, { library }: Loaded): Executed {
  try {
    // A caller without types may well pass an incomplete turn.
    const calls = library.executableToolCalls?.(turn as Extract<Turn, { status: "complete" }>) ?? [];
    return { threw: false, inputs: new Map(calls.map(({ id, input }) => [id, input])) };
  } catch {
    return { threw: true, inputs: new Map() };
  }
}

function toolCall(
  key: string,
  expected: ExpectedTool,
  call: ToolCall | ToolFragment | undefined,
  { threw, inputs }: Executed,
): Problem[] {
  if (!call) return [];
  const problems: Problem[] = [];
  const raw = argumentsOf(call);
  if (expected.rawArgs !== undefined) problems.push(...equal(`${key}rawArgs`, expected.rawArgs, raw));
  if (expected.args) problems.push(...equal(`${key}args`, expected.args, parsed(raw)));
  if (expected.executable) {
    if (!inputs.has(expected.id)) problems.push(problem(`${key}executable`, threw ? "it throws" : "it is left out"));
    else if (expected.args) problems.push(...equal(`${key}input`, expected.args, inputs.get(expected.id)));
  } else if (!threw && !("providerExecuted" in call && call.providerExecuted)) {
    problems.push(problem(`${key}executable`, "expected a throw, got none"));
  }
  return problems;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text || "{}");
  } catch {
    return text;
  }
}

export function flag(name: Flag, seen: Observed): boolean {
  const { turn } = seen;
  if (name === "firstTokenLimitExceeded") return timingOf(seen)?.firstTokenLimitExceeded ?? false;
  if (name === "unterminatedFinalEvent") return turn?.unterminatedFinalEvent ?? false;
  return turn?.status === "complete" && turn.hasInvalidToolCalls;
}

export function attempts(expected: readonly ExpectedAttempt[], seen: Observed): Problem[] {
  const actual = (seen.turn ?? seen.callError ?? seen.record)?.attempts ?? [];
  const rows = actual.map((attempt, index) => {
    const all: Record<keyof ExpectedAttempt, unknown> = {
      endpoint: attempt.endpoint,
      outcome: attempt.outcome,
      kind: attempt.kind,
      reason: attempt.failure?.reason ?? attempt.outcome,
      status: attempt.failure?.status,
      providerType: attempt.failure?.providerType,
      providerCode: attempt.failure?.providerCode,
    };
    const wanted = Object.keys(expected[index] ?? { endpoint: 0, reason: 0 }) as (keyof ExpectedAttempt)[];
    return Object.fromEntries(wanted.map((key) => [key, all[key]]));
  });
  return equal("attempts", expected, rows);
}

export function timingsFinite(_: true, seen: Observed): Problem[] {
  const numbers = Object.entries(timingOf(seen) ?? {}).filter(([, value]) => typeof value === "number");
  if (numbers.length === 0) return [problem("timingsFinite", "there is no timing")];
  return numbers
    .filter(([, value]) => !(Number.isFinite(value) && (value as number) >= 0))
    .map(([name, value]) => problem("timingsFinite", `${name} is ${value}`));
}

export const finishReason = (expected: Expectation["finishReason"], { turn, failure }: Observed) =>
  equal("finishReason", expected, (turn ?? failure)?.rawStopReason ?? null);
