/** From what an attempt collected and what the call knows to the record and the turn that users get. Pure. */
import type { Failure, IncompleteReason, Outcome } from "../base/failure.ts";
import type { PromptBand } from "../timing/limits.ts";
import type { Timing } from "../timing/timing.ts";
import type { Assembler } from "./assembler.ts";
import { type Attempt, type CallRecord, type Skipped, withoutWords } from "./record.ts";
import { hasInvalidToolCalls } from "./tool-calls.ts";
import type { CompleteTurn, IncompleteTurn, Turn, TurnMeta } from "./turn.ts";
import type { Verdict } from "./verdict.ts";

/** What the call knows of itself. */
export interface CallFacts {
  readonly callId: string;
  readonly startedAt: number;
  readonly label: string | null;
  readonly requestProtocol: string;
  readonly promptBand: PromptBand;
  readonly annotations: Readonly<Record<string, string>>;
  readonly restartOf: string | null;
  readonly outcome: Outcome;
  readonly attempts: readonly Attempt[];
  readonly skipped: readonly Skipped[];
  readonly timing: Timing;
}

/** What the serving attempt, or the last one, knows of the answer; an empty one if there was none. */
export interface AnswerParts {
  readonly endpoint: string | null;
  readonly protocol: string;
  readonly assembler: Assembler | null;
  readonly output: readonly object[];
  readonly requestId: string | null;
  readonly requestedModel: string | null;
  readonly lastEvent: string | null;
  readonly successSignal: boolean;
  readonly terminal: boolean;
  readonly unterminatedFinalEvent: boolean;
  readonly streamed: boolean;
}

/** The metadata-only record: numbers and names. */
export function recordOf(call: CallFacts, answer: AnswerParts): CallRecord {
  const { assembler } = answer;
  const toolArgumentLengths = assembler?.argumentLengths ?? [];
  return {
    callId: call.callId,
    startedAt: call.startedAt,
    outcome: call.outcome,
    label: call.label,
    endpoint: answer.endpoint,
    protocol: answer.protocol,
    model: assembler?.model ?? answer.requestedModel,
    id: assembler?.id ?? null,
    requestId: answer.requestId,
    stopReason: assembler?.stopReason ?? null,
    rawStopReason: assembler?.rawStopReason?.slice(0, 64) ?? null,
    usage: assembler?.usage ?? null,
    promptBand: call.promptBand,
    timing: call.timing,
    attempts: call.attempts.map(withoutWords),
    skipped: call.skipped,
    lastEvent: answer.lastEvent,
    successSignal: answer.successSignal,
    terminal: answer.terminal,
    annotations: call.annotations,
    toolArgumentLengths,
    toolCalls: toolArgumentLengths.length,
    restartOf: call.restartOf,
  };
}

/** The turn of a call whose gate has opened. */
export function turnOfAnswer(verdict: Verdict, failure: Failure | null, call: CallFacts, answer: AnswerParts): Turn {
  const assembler = answer.assembler as Assembler;
  const { text, reasoning, refusal, toolCalls, stopReason } = assembler;
  const { output } = answer;
  const meta = metaOf(call, answer, assembler);
  const turn =
    verdict.status === "complete"
      ? ({
          status: "complete",
          text,
          reasoning,
          refusal,
          toolCalls,
          stopReason,
          hasInvalidToolCalls: hasInvalidToolCalls(toolCalls, output),
          output,
          ...meta,
        } satisfies Bare<CompleteTurn>)
      : ({
          status: "incomplete",
          reason: verdict.reason as IncompleteReason,
          terminal: verdict.terminal,
          partialText: text,
          partialReasoning: reasoning,
          partialRefusal: refusal,
          toolFragments: toolCalls.map(({ id, index, name, arguments: argumentsFragment }) => ({
            id,
            index,
            name,
            argumentsFragment,
          })),
          stopReason,
          error: failure,
          output,
          ...meta,
        } satisfies Bare<IncompleteTurn>);
  return withToJson(turn, () => recordOf(call, answer));
}

type Bare<T extends Turn> = Omit<T, "toJSON">;

function metaOf(call: CallFacts, answer: AnswerParts, assembler: Assembler): Omit<TurnMeta, "toJSON"> {
  return {
    callId: call.callId,
    id: assembler.id,
    requestId: answer.requestId,
    label: call.label,
    protocol: answer.protocol,
    requestProtocol: call.requestProtocol,
    endpoint: answer.endpoint as string,
    model: assembler.model,
    rawStopReason: assembler.rawStopReason,
    usage: assembler.usage,
    timing: call.timing,
    attempts: call.attempts,
    skipped: call.skipped,
    lastEvent: answer.lastEvent,
    successSignal: answer.successSignal,
    ignoredChoices: assembler.ignoredChoices,
    annotations: call.annotations,
    unterminatedFinalEvent: answer.unterminatedFinalEvent,
    streamed: answer.streamed,
    restartOf: call.restartOf,
  };
}

/** Plain data with the one method of a turn, which no enumeration shows. */
export function withToJson(turn: Bare<CompleteTurn> | Bare<IncompleteTurn>, record: () => CallRecord): Turn {
  const toJSON = (options?: { readonly content?: boolean | undefined } | string): object =>
    typeof options === "object" && options.content === false ? record() : { ...turn };
  return Object.defineProperty(turn, "toJSON", { value: toJSON }) as Turn;
}
