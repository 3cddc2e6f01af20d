/** `otel()`: an observer that says what it hears in the terms of OpenTelemetry. */
import { context, propagation, type TextMapSetter } from "@opentelemetry/api";
import type { AttemptInfo, Observer } from "../turn/observer.ts";
import { measureAttempt, measureCall, measureFirstContent, ownAttributes } from "./call-metrics.ts";
import { errorTypeOf } from "./error-type.ts";
import { genAiInstruments, type OwnInstruments, ownInstruments } from "./instruments.ts";
import { prefixesOf } from "./names.ts";
import { decided, type OtelOptions } from "./options.ts";
import { perMeter } from "./scope.ts";
import { type AttemptTrace, Traces } from "./traces.ts";
import { measured, ownName } from "./words.ts";

/**
 * Emits a span per call with a child for each attempt, the `gen_ai.client.*` metrics of the semantic conventions, and
 * `ttft.client.*` metrics of its own: `createClient({ observers: [otel()] })`. Without an SDK it does nothing. Numbers
 * and names only: no option makes it emit what a user wrote or a model said.
 * @throws TypeError for a wrong option.
 */
export function otel(options: OtelOptions = {}): Observer {
  const settings = decided(options);
  const traces = new Traces(settings);
  const prefixes = prefixesOf(settings);
  const genAi = settings.genAiMetrics && perMeter(settings, (meter) => genAiInstruments(meter, prefixes));
  const own = settings.ownMetrics && perMeter(settings, ownInstruments);
  return {
    callStart: (call) => traces.beginCall(call),
    attemptStart(info) {
      const attempt = traces.beginAttempt(info);
      if (own && attempt && info.kind === "fallback") countFallback(own(), info, attempt);
    },
    dispatch(info, headers, next) {
      const current = traces.attempt(info)?.context ?? context.active();
      if (settings.propagate?.(info.url)) propagation.inject(current, headers, traceHeaders);
      return context.with(current, next);
    },
    ...(genAi && {
      gap(info, ms) {
        const attempt = traces.attempt(info);
        if (attempt) genAi().perChunk(ms, attempt.gapAttributes, attempt.call.context);
      },
    }),
    attemptEnd(info, result) {
      const attempt = traces.endAttempt(info, result);
      if (own && attempt) measureAttempt(own(), info.call, result, attempt.place, attempt.context);
    },
    callEnd(info, record) {
      traces.endCall(info, record, (place, ending, context) => {
        if (genAi) measureCall(genAi(), record, place, ending, context);
        if (own) measureFirstContent(own(), info, record, place, context);
      });
    },
    ...(own && counting(own, traces)),
  };
}

/** Only these two, whatever a propagator has to say: baggage may hold what a user wrote. */
const traceHeaders: TextMapSetter<Headers> = {
  set(headers, name, value) {
    if (/^trace(parent|state)$/i.test(name)) headers.set(name, value);
  },
};

/** A move to another endpoint, and the failure that led to it. */
function countFallback(
  { fallbacks }: OwnInstruments,
  { call }: AttemptInfo,
  { call: { ended }, context }: AttemptTrace,
) {
  const attributes = measured({
    "ttft.from_endpoint": ownName(ended?.endpoint ?? call.endpoint),
    "ttft.label": ownName(call.label),
    "error.type": errorTypeOf(ended?.failure),
  });
  fallbacks.add(1, attributes, context);
}

function counting(own: () => OwnInstruments, traces: Traces): Pick<Required<Observer>, "skipped" | "breaker"> {
  return {
    skipped(call, endpoint, why) {
      const attributes = measured({ ...ownAttributes(call, endpoint), "ttft.skip.reason": why });
      own().skipped.add(1, attributes, traces.call(call)?.context);
    },
    breaker(endpoint, state) {
      const attributes = measured({ "ttft.endpoint": ownName(endpoint), "ttft.circuit.state": state });
      own().transitions.add(1, attributes);
    },
  };
}
