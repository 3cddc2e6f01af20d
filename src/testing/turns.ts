/** Turns for component tests: what a call would have resolved to, without a call. */
import { failureOf } from "../attempt/failures.ts";
import type { Failure, IncompleteReason, Outcome } from "../base/failure.ts";
import { withToJson } from "../turn/compose.ts";
import { hasInvalidToolCalls } from "../turn/tool-calls.ts";
import type { CompleteTurn, IncompleteTurn, TurnMeta } from "../turn/turn.ts";
import { type Said, said } from "./sample-answer.ts";
import { attemptOf, recordOfTurn, timingOf } from "./sample-record.ts";

/**
 * A whole answer. Every field has the value that a scripted call would have given it: `output` in the blocks of its
 * `protocol` (so `toAssistantMessages` works), counts, times, one attempt. What you pass replaces it; a field that is
 * `undefined` counts as left out. `callId` is the same on every turn: give your own where it matters.
 * @throws TypeError for a field that no complete turn has.
 * @example
 * render(<Answer turn={completeTurn({ text: "hi" })} />);
 */
export function completeTurn(fields: Partial<Omit<CompleteTurn, "status" | "toJSON">> = {}): CompleteTurn {
  const given = defined(fields);
  const { toolCalls = [], reasoning = "", refusal = "" } = given;
  const wordless = toolCalls.length > 0 || refusal !== "";
  const text = given.text ?? (wordless ? "" : "Hello");
  const stopReason = given.stopReason !== undefined ? given.stopReason : toolCalls.length > 0 ? "tool_calls" : "stop";
  const answer = said(given.protocol, { text, reasoning, toolCalls, stopReason, reason: null });
  const turn = {
    status: "complete" as const,
    text,
    reasoning,
    refusal,
    toolCalls,
    stopReason,
    hasInvalidToolCalls: hasInvalidToolCalls(toolCalls, given.output ?? answer.output),
    output: answer.output,
    ...metaOf(given, answer, "complete", null),
  };
  return finish(turn, given) as CompleteTurn;
}

/** Endings that the provider chose: no failure, and its success signal came. */
const TERMINAL: readonly IncompleteReason[] = ["length", "content_filter", "paused"];

/**
 * Half an answer, or none, with its `reason`. `terminal`, `stopReason` and `error` follow the reason: `length`,
 * `content_filter` and `paused` are the provider's own endings and have no error; every other reason has the failure
 * that a call would have had. All else as in `completeTurn`.
 * @throws TypeError for a missing reason, or a field that no incomplete turn has.
 */
export function incompleteTurn(
  fields: { readonly reason: IncompleteReason } & Partial<Omit<IncompleteTurn, "status" | "reason" | "toJSON">>,
): IncompleteTurn {
  const given = defined(fields);
  const { reason, toolFragments = [], partialReasoning = "", partialRefusal = "" } = given;
  if (typeof reason !== "string") throw new TypeError('incompleteTurn takes a reason, e.g. { reason: "length" }');
  const terminal = given.terminal ?? TERMINAL.includes(reason);
  const partialText = given.partialText ?? (reason === "empty" || toolFragments.length > 0 ? "" : "Hello");
  const stopReason = given.stopReason ?? (TERMINAL.includes(reason) ? (reason as IncompleteTurn["stopReason"]) : null);
  const toolCalls = toolFragments.map(({ id, index, name, argumentsFragment }) => {
    return { id: id ?? `call_${index}`, index, name: name ?? "tool", arguments: argumentsFragment };
  });
  const answer = said(given.protocol, {
    text: partialText,
    reasoning: partialReasoning,
    toolCalls,
    stopReason,
    reason,
  });
  const failure = terminal ? null : failureOf(reason, { httpStatus: 200, limitMs: 1_000 }, NOTHING_SENT);
  const error = given.error === undefined ? failure : given.error;
  const turn = {
    status: "incomplete" as const,
    reason,
    terminal,
    partialText,
    partialReasoning,
    partialRefusal,
    toolFragments,
    stopReason,
    error,
    output: answer.output,
    ...metaOf(given, answer, reason, error),
  };
  return finish(turn, given) as IncompleteTurn;
}

const NOTHING_SENT = { values: [], body: "", refusalCodes: [] };

type Meta = Omit<TurnMeta, "toJSON">;

function metaOf(given: Partial<Meta>, answer: Said, outcome: Outcome, failure: Failure | null): Meta {
  const { protocol = "openai-chat", endpoint = "endpoint", requestId = "req_1" } = given;
  const timing = given.timing ?? timingOf(answer.counts);
  return {
    callId: "call-1",
    id: answer.id,
    requestId,
    label: null,
    protocol,
    requestProtocol: protocol,
    endpoint,
    model: answer.model,
    rawStopReason: answer.rawStopReason,
    usage: answer.usage,
    timing,
    attempts: [attemptOf({ endpoint, requestId, timing, outcome, failure })],
    skipped: [],
    lastEvent: answer.lastEvent,
    successSignal: answer.successSignal,
    ignoredChoices: 0,
    annotations: {},
    unterminatedFinalEvent: false,
    streamed: true,
    restartOf: null,
  };
}

/** What was given over what goes without saying. */
function finish<Turn extends CompleteTurn | IncompleteTurn>(turn: Omit<Turn, "toJSON">, given: object): unknown {
  const unknown = Object.keys(given).find((field) => !(field in turn));
  if (unknown !== undefined)
    throw new TypeError(`"${unknown}" is no field of this turn; it has ${Object.keys(turn).join(", ")}`);
  const whole = { ...turn, ...given } as Turn;
  return withToJson(whole, () => recordOfTurn(whole));
}

/** A field that is `undefined` counts as left out. */
const defined = <Fields extends object>(fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
