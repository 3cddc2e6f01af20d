/** The numbers of a call that never was: its timeline, its one attempt, its record. */
import type { Failure, Outcome } from "../base/failure.ts";
import type { Timing } from "../timing/timing.ts";
import { type Attempt, type CallRecord, withoutWords } from "../turn/record.ts";
import type { Turn } from "../turn/turn.ts";

/** 2025-01-01, where the virtual clock starts too. */
const STARTED_AT = Date.UTC(2025, 0, 1);

/** A plausible timeline around the counts of an answer. */
export function timingOf(counts: Timing): Timing {
  const output = counts.firstOutputEvent === null ? null : 180;
  return {
    ...counts,
    connectMs: 20,
    headersMs: 120,
    firstByteMs: 121,
    firstEventMs: 121,
    firstOutputMs: output,
    ttftMs: counts.firstContentEvent === null ? null : 180,
    maxGapMs: output === null ? null : 40,
    totalMs: 640,
  };
}

export interface AttemptFacts {
  readonly endpoint: string;
  readonly requestId: string | null;
  readonly timing: Timing;
  readonly outcome: Outcome;
  readonly failure: Failure | null;
}

export const attemptOf = ({ endpoint, requestId, timing, outcome, failure }: AttemptFacts): Attempt => ({
  index: 0,
  endpoint,
  kind: "initial",
  outcome,
  startMs: 0,
  backoffMs: 0,
  dispatched: true,
  status: failure?.status ?? null,
  httpStatus: 200,
  requestId,
  gate: "opened",
  failure,
  timing,
});

/** The record of a turn, from its fields. */
export function recordOfTurn(turn: Turn): CallRecord {
  const whole = turn.status === "complete";
  const toolArgumentLengths = whole
    ? turn.toolCalls.map((call) => call.arguments.length)
    : turn.toolFragments.map((fragment) => fragment.argumentsFragment.length);
  const { callId, label, endpoint, protocol, model, id, requestId, stopReason, rawStopReason, usage } = turn;
  const { timing, skipped, lastEvent, successSignal, annotations, restartOf } = turn;
  return {
    callId,
    startedAt: STARTED_AT,
    outcome: whole ? "complete" : turn.reason,
    label,
    endpoint,
    protocol,
    model,
    id,
    requestId,
    stopReason,
    rawStopReason,
    usage,
    promptBand: "unknown",
    timing,
    attempts: turn.attempts.map(withoutWords),
    skipped,
    lastEvent,
    successSignal,
    terminal: whole || turn.terminal,
    annotations,
    toolArgumentLengths,
    toolCalls: toolArgumentLengths.length,
    restartOf,
  };
}
