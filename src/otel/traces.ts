/** The calls and attempts that are under way: their spans, the contexts to record in, and where they go. */
import { type Attributes, type Context, context, type Span, trace } from "@opentelemetry/api";
import type { AttemptInfo, CallInfo } from "../turn/observer.ts";
import type { Attempt, CallRecord } from "../turn/record.ts";
import { endAttempt, startAttempt } from "./attempt-span.ts";
import { type Ending, endingOf } from "./ending.ts";
import { endOperation, startOperation } from "./operation-span.ts";
import type { Decided } from "./options.ts";
import { placeOf } from "./place.ts";
import { tracerOf } from "./scope.ts";
import { bounded } from "./words.ts";

/** Contexts are kept and passed on: after a wait the active one is somebody else's, and in browsers nobody's. */
interface UnderWay {
  readonly context: Context;
  readonly span: Span | null;
}

export interface CallTrace extends UnderWay {
  readonly place: Attributes;
  /** Of the endpoints that were tried. */
  readonly places: Map<string, Attributes>;
  /** The attempt that ended last. */
  ended: Attempt | null;
}

export interface AttemptTrace extends UnderWay {
  readonly call: CallTrace;
  readonly place: Attributes;
  /** Ready for its gaps, each of which is recorded at once. */
  readonly gapAttributes: Attributes;
}

export class Traces {
  readonly #settings: Decided;
  readonly #calls = new WeakMap<CallInfo, CallTrace>();
  readonly #attempts = new WeakMap<AttemptInfo, AttemptTrace>();

  constructor(settings: Decided) {
    this.#settings = settings;
  }

  call(info: CallInfo): CallTrace | undefined {
    return this.#calls.get(info);
  }

  attempt(info: AttemptInfo): AttemptTrace | undefined {
    return this.#attempts.get(info);
  }

  /** The context that is active now is the caller's. An observer that was given twice hears twice of each call. */
  beginCall(info: CallInfo): void {
    if (this.#calls.has(info)) return;
    const parent = context.active();
    const place = placeOf(info, info, this.#settings);
    const span = this.#settings.spans ? startOperation(tracerOf(this.#settings), info, place, parent) : null;
    this.#calls.set(info, { ...within(parent, span), place, places: new Map(), ended: null });
  }

  beginAttempt(info: AttemptInfo): AttemptTrace | undefined {
    const call = this.#calls.get(info.call);
    if (!call || this.#attempts.has(info)) return undefined;
    const span = call.span?.isRecording() ? startAttempt(tracerOf(this.#settings), info, call.context) : null;
    const place = placeOf(info.call, info, this.#settings);
    const attempt = { ...within(call.context, span), call, place, gapAttributes: bounded(place) };
    call.places.set(info.endpoint, place);
    this.#attempts.set(info, attempt);
    return attempt;
  }

  /** `undefined` if it has ended before. */
  endAttempt(info: AttemptInfo, result: Attempt): AttemptTrace | undefined {
    const attempt = this.#attempts.get(info);
    if (!attempt) return undefined;
    this.#attempts.delete(info);
    attempt.call.ended = result;
    if (attempt.span) endAttempt(attempt.span, result);
    return attempt;
  }

  /** `measure` comes before the end of the span, which it cannot prevent. */
  endCall(info: CallInfo, record: CallRecord, measure: (call: CallTrace, ending: Ending) => void): void {
    const call = this.#calls.get(info);
    if (!call) return;
    this.#calls.delete(info);
    const place = call.places.get(record.endpoint ?? "") ?? call.place;
    const ending = endingOf(record, place, this.#settings.chunk);
    try {
      measure(call, ending);
    } finally {
      if (call.span) endOperation(call.span, record, ending);
    }
  }
}

function within(parent: Context, span: Span | null): UnderWay {
  return { context: span ? trace.setSpan(parent, span) : parent, span };
}
