/** The calls and attempts that are under way: their spans, the contexts to record in, and where they go. */
import { type Attributes, type Context, context, type Span } from "@opentelemetry/api";
import type { AttemptInfo, CallInfo } from "../turn/observer.ts";
import type { Attempt, CallRecord } from "../turn/record.ts";
import { endAttempt, startAttempt } from "./attempt-span.ts";
import { type Ending, endingOf } from "./ending.ts";
import { endOperation, startOperation } from "./operation-span.ts";
import type { Decided } from "./options.ts";
import { placeOf } from "./place.ts";
import { tracerOf } from "./scope.ts";
import { contextWithin } from "./span.ts";
import { measured } from "./words.ts";

/** Contexts are kept and passed on: after a wait the active one is somebody else's, and in browsers nobody's. */
interface UnderWay {
  readonly context: Context;
  readonly span: Span | null;
}

interface CallTrace extends UnderWay {
  /** Of the first endpoint, and of all that were tried. */
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

/** `place`: of the endpoint that served, or was tried last. */
type Measure = (place: Attributes, ending: Ending, context: Context) => void;

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

  /** The context that is active now is the caller's. An observer that was given twice hears of each call twice. */
  beginCall(info: CallInfo): void {
    if (this.#calls.has(info)) return;
    const parent = context.active();
    const place = placeOf(info, info, this.#settings);
    const span = this.#settings.spans ? startOperation(tracerOf(this.#settings), info, place, parent) : null;
    const places = new Map([[info.endpoint, place]]);
    this.#calls.set(info, { context: contextWithin(parent, span), span, places, ended: null });
  }

  beginAttempt(info: AttemptInfo): AttemptTrace | undefined {
    const call = this.#calls.get(info.call);
    if (!call || this.#attempts.has(info)) return undefined;
    const span = call.span?.isRecording() ? startAttempt(tracerOf(this.#settings), info, call.context) : null;
    const place = call.places.get(info.endpoint) ?? placeOf(info.call, info, this.#settings);
    call.places.set(info.endpoint, place);
    const attempt = { context: contextWithin(call.context, span), span, call, place, gapAttributes: measured(place) };
    this.#attempts.set(info, attempt);
    return attempt;
  }

  /** `undefined` if it had ended already. */
  endAttempt(info: AttemptInfo, result: Attempt): AttemptTrace | undefined {
    const attempt = this.#attempts.get(info);
    if (!attempt) return undefined;
    this.#attempts.delete(info);
    attempt.call.ended = result;
    if (attempt.span) endAttempt(attempt.span, result);
    return attempt;
  }

  /** `measure` comes before the end of the span, which it cannot prevent. */
  endCall(info: CallInfo, record: CallRecord, measure: Measure): void {
    const call = this.#calls.get(info);
    if (!call) return;
    this.#calls.delete(info);
    const place = call.places.get(record.endpoint ?? info.endpoint) as Attributes;
    const ending = endingOf(record, this.#settings.chunk);
    try {
      measure(place, ending, call.context);
    } finally {
      if (call.span) endOperation(call.span, record, place, ending);
    }
  }
}
