/** What a call came to, in the words of the public API: its record, its turn, its error. */
import { attemptRecord, requestIdIn } from "../attempt/snapshot.ts";
import { callErrorOf } from "../route/call-error.ts";
import type { CallRun } from "../route/run.ts";
import { EMPTY_TIMING, type Timing } from "../timing/timing.ts";
import { type AnswerParts, type CallFacts, recordOf, turnOfAnswer } from "../turn/compose.ts";
import type { CallError } from "../turn/errors.ts";
import type { CallRecord } from "../turn/record.ts";
import type { Turn } from "../turn/turn.ts";

/** The serving attempt; without one, the last. */
const chief = (run: CallRun) => run.serving ?? run.attempts.at(-1) ?? null;

/** The serving attempt's moments, measured from the call's start: failed attempts are inside. */
export function callTiming(run: CallRun): Timing {
  const attempt = chief(run);
  const { startedAt } = run.call;
  const timing = attempt?.timeline.timing(startedAt, attempt.streamed) ?? EMPTY_TIMING;
  const served = attempt !== null && attempt === run.serving;
  return run.endedAt === null || served ? timing : { ...timing, totalMs: run.endedAt - startedAt };
}

function callRecord(run: CallRun): CallRecord {
  return recordOf(callFacts(run), answerParts(run));
}

/** The last word to whoever listens; nothing is composed if nobody does. */
export function reportEnd(run: CallRun): void {
  const { observer, info } = run.call;
  if (observer?.callEnd) observer.callEnd(info, callRecord(run));
}

/** Of a call that somebody served and that is over. */
export function callTurn(run: CallRun): Turn {
  const verdict = run.serving?.verdict;
  if (!verdict) throw new Error("the call is not over");
  return turnOfAnswer(verdict, run.failure, callFacts(run), answerParts(run));
}

/** Of a call that nobody served. */
export function callError(run: CallRun): CallError {
  const { failure, budgetExhausted, progress, call } = run;
  if (!failure) throw new Error("the call has not failed");
  const attempts = run.attempts.map(attemptRecord);
  const { callId } = call.info;
  return callErrorOf(failure, attempts, {
    callId,
    skipped: [...progress.skipped],
    timing: callTiming(run),
    budgetExhausted,
  });
}

function callFacts(run: CallRun): CallFacts {
  const { info, annotations } = run.call;
  return {
    callId: info.callId,
    startedAt: run.startedWallAt,
    label: info.label,
    requestProtocol: info.protocol,
    promptBand: info.promptBand,
    annotations,
    restartOf: info.restartOf,
    outcome: run.outcome ?? "complete",
    attempts: run.attempts.map(attemptRecord),
    skipped: [...run.progress.skipped],
    timing: callTiming(run),
  };
}

function answerParts(run: CallRun): AnswerParts {
  const attempt = chief(run);
  const inspector = attempt?.inspector ?? null;
  const verdict = attempt?.verdict;
  return {
    endpoint: attempt?.setup.info.endpoint ?? null,
    protocol: attempt?.setup.protocol.name ?? run.call.info.protocol,
    assembler: inspector?.answer.assembler ?? null,
    output: run.call.collect ? (inspector?.output ?? []) : [],
    requestId: attempt ? requestIdIn(attempt) : null,
    requestedModel: attempt?.setup.info.model ?? null,
    lastEvent: inspector?.lastEvent ?? null,
    successSignal: inspector?.answer.signal ?? false,
    terminal: verdict?.status === "complete" || (verdict?.status === "incomplete" && verdict.terminal),
    unterminatedFinalEvent: inspector?.unterminatedFinalEvent ?? false,
    streamed: attempt?.streamed ?? false,
  };
}
