/** From what an observer hears to samples: which moments count, for which key, and which do not. */
import type { Timing } from "../timing/timing.ts";
import type { AttemptInfo, CallInfo, Observer } from "../turn/observer.ts";
import type { Attempt, CallRecord } from "../turn/record.ts";
import type { Row, StatsKey } from "./row.ts";
import type { Tails } from "./tails.ts";

/** Ends in silence that say "at least this long": somebody stopped waiting, nothing had failed. */
const GIVEN_UP: ReadonlySet<Attempt["outcome"]> = new Set([
  "timeout_first_token",
  "timeout_gate",
  "timeout_total",
  "transport_timeout",
  "hedge_lost",
  "aborted",
] as const);

type Heard = Required<Pick<Observer, "attemptStart" | "firstOutput" | "attemptEnd" | "callEnd">>;

export function observerInto(tails: Tails): Heard {
  /** What each endpoint of a call was asked for: a record has the provider's own name of the model. */
  const models = new WeakMap<CallInfo, Map<string, string | null>>();
  const answered = new WeakSet<AttemptInfo>();
  return {
    attemptStart({ call, endpoint, model }) {
      models.set(call, (models.get(call) ?? new Map<string, string | null>()).set(endpoint, model));
    },
    firstOutput(attempt, ms) {
      answered.add(attempt);
      recordOutput(tails.row(keyOfAttempt(attempt)), ms);
    },
    attemptEnd(attempt, result) {
      if (!answered.has(attempt)) recordAttempt(tails.row(keyOfAttempt(attempt)), result);
    },
    callEnd(call, record) {
      const endpoint = record.endpoint ?? call.endpoint;
      const asked = models.get(call);
      recordCall(tails, keyOf(call, endpoint, asked?.has(endpoint) ? asked.get(endpoint) : call.model), record);
    },
  };
}

export function keyOfAttempt({ call, endpoint, model }: AttemptInfo): StatsKey {
  return keyOf(call, endpoint, model);
}

function keyOf(call: CallInfo, endpoint: string, model: string | null | undefined): StatsKey {
  return { endpoint, model: modelName(model), label: call.label, band: call.promptBand };
}

/** `unknown` is to models what it is to prompt bands. */
export function modelName(model: string | null | undefined): string {
  return model ?? "unknown";
}

function recordOutput(row: Row, ms: number): void {
  row.filling().answered.add(ms);
  row.recent.answered(ms);
}

/** What is needed of an attempt. */
interface AttemptSample extends Pick<Attempt, "outcome"> {
  readonly timing: Pick<Timing, "firstOutputMs" | "totalMs">;
}

/** What is needed of a call's record. */
interface CallSample extends Pick<CallRecord, "outcome" | "successSignal" | "startedAt"> {
  readonly timing: Pick<Timing, "ttftMs" | "totalMs" | "maxGapMs">;
}

/** An attempt that has ended: its first output, or how long it was silent until it was given up. */
export function recordAttempt(row: Row, { outcome, timing }: AttemptSample): void {
  if (timing.firstOutputMs !== null) return recordOutput(row, timing.firstOutputMs);
  if (timing.totalMs === null || !GIVEN_UP.has(outcome)) return;
  row.filling().unanswered.add(timing.totalMs);
  if (outcome === "timeout_first_token") row.recent.cut(timing.totalMs);
}

/** A call that has ended: what its user waited for, or why it does not count. */
export function recordCall(
  tails: Tails,
  key: StatsKey,
  { outcome, successSignal, startedAt, timing }: CallSample,
): void {
  tails.calendar.see(startedAt + (timing.totalMs ?? 0));
  const measures = tails.row(key).filling();
  // The whole answer of a lenient endpoint has no signal, and is whole.
  if (!successSignal && outcome !== "complete") return measures.fail(outcome);
  if (timing.ttftMs !== null) measures.ttft.add(timing.ttftMs);
  if (timing.maxGapMs !== null) measures.largestGap.add(timing.maxGapMs);
}
