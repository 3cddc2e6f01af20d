/** What an observer hears of calls, without a client: infos, attempts and records with sensible values. */

import type { Timing } from "../../src/timing/timing.ts";
import type { AttemptInfo, CallInfo, Observer } from "../../src/turn/observer.ts";
import type { Attempt, CallRecord } from "../../src/turn/record.ts";

export const EPOCH = Date.UTC(2025, 0, 1);

export function timing(fields: Partial<Timing> = {}): Timing {
  return {
    connectMs: null,
    headersMs: null,
    firstByteMs: null,
    firstEventMs: null,
    firstOutputMs: null,
    ttftMs: null,
    totalMs: null,
    maxGapMs: null,
    contentChunks: 0,
    events: 0,
    keepAlives: 0,
    bytes: 0,
    suspendedMs: 0,
    firstTokenLimitExceeded: false,
    firstOutputEvent: null,
    firstContentEvent: null,
    ...fields,
  };
}

export function callInfo(fields: Partial<CallInfo> = {}): CallInfo {
  return {
    callId: "call-1",
    label: null,
    protocol: "openai-chat",
    model: "m",
    promptBand: "<2k",
    endpoint: "a",
    url: new URL("https://a.example/v1/chat/completions"),
    restartOf: null,
    parameters: {},
    ...fields,
  };
}

export function attemptInfo(call: CallInfo, fields: Partial<AttemptInfo> = {}): AttemptInfo {
  const { endpoint, model, url } = call;
  return { call, index: 0, kind: "initial", endpoint, model, url, startMs: 0, ...fields };
}

export function attempt(fields: Partial<Attempt> = {}): Attempt {
  return {
    index: 0,
    endpoint: "a",
    kind: "initial",
    outcome: "complete",
    startMs: 0,
    backoffMs: 0,
    dispatched: true,
    status: null,
    httpStatus: 200,
    requestId: null,
    gate: "opened",
    failure: null,
    timing: timing(),
    ...fields,
  };
}

export function record(fields: Partial<CallRecord> = {}): CallRecord {
  return {
    callId: "call-1",
    startedAt: EPOCH,
    outcome: "complete",
    label: null,
    endpoint: "a",
    protocol: "openai-chat",
    model: "m-2025-01-01",
    id: null,
    requestId: null,
    stopReason: "stop",
    rawStopReason: "stop",
    usage: null,
    promptBand: "<2k",
    timing: timing(),
    attempts: [],
    skipped: [],
    lastEvent: null,
    successSignal: true,
    terminal: true,
    annotations: {},
    toolArgumentLengths: [],
    toolCalls: 0,
    restartOf: null,
    ...fields,
  };
}

/** A call that one attempt answered. */
export function hearAnswer(
  observer: Observer,
  {
    ttftMs,
    maxGapMs = 50,
    startedAt = EPOCH,
    ...call
  }: Partial<CallInfo> & {
    readonly ttftMs: number;
    readonly maxGapMs?: number;
    readonly startedAt?: number;
  },
): void {
  const info = callInfo(call);
  const attempted = attemptInfo(info);
  const times = timing({ firstOutputMs: ttftMs, ttftMs, totalMs: ttftMs + 1_000, maxGapMs });
  observer.callStart?.(info);
  observer.attemptStart?.(attempted);
  observer.firstOutput?.(attempted, ttftMs);
  observer.attemptEnd?.(attempted, attempt({ endpoint: info.endpoint, timing: times }));
  observer.callEnd?.(info, record({ endpoint: info.endpoint, label: info.label, startedAt, timing: times }));
}

/** A call whose only attempt ended in silence. */
export function hearSilence(
  observer: Observer,
  {
    afterMs,
    outcome = "timeout_first_token",
    startedAt = EPOCH,
    ...call
  }: Partial<CallInfo> & {
    readonly afterMs: number;
    readonly outcome?: "timeout_first_token" | "aborted" | "http_error" | "connection_failed";
    readonly startedAt?: number;
  },
): void {
  const info = callInfo(call);
  const attempted = attemptInfo(info);
  const times = timing({ totalMs: afterMs });
  observer.attemptStart?.(attempted);
  observer.attemptEnd?.(attempted, attempt({ endpoint: info.endpoint, outcome, gate: "failed", timing: times }));
  observer.callEnd?.(
    info,
    record({ endpoint: info.endpoint, outcome, successSignal: false, startedAt, timing: times }),
  );
}
