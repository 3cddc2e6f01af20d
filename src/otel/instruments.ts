/** Every instrument with its unit and its bounds. Synchronous ones only: nothing is kept between two calls. */
import type { Attributes, Context, Counter, Meter } from "@opentelemetry/api";
import { createHistogram } from "./histogram.ts";
import { FIRST_CONTENT_BOUNDS, OLD_NAMES, SECONDS_BOUNDS } from "./names.ts";
import { inSeconds } from "./seconds.ts";
import { type RecordTokens, tokenInstruments } from "./tokens.ts";

/** A time in milliseconds, recorded in seconds; what is no time is not recorded. */
type RecordMs = (ms: number | null, attributes: Attributes, context: Context) => void;

export interface GenAiInstruments {
  readonly duration: RecordMs;
  readonly firstChunk: RecordMs;
  readonly perChunk: RecordMs;
  readonly tokens: RecordTokens;
}

/** Each measurement under the names of every prefix. */
export function genAiInstruments(meter: Meter, prefixes: readonly string[]): GenAiInstruments {
  const time = (name: string) => together(prefixes.map((prefix) => seconds(meter, prefix + name, SECONDS_BOUNDS)));
  return {
    duration: time("duration"),
    firstChunk: time("time_to_first_chunk"),
    perChunk: time("time_per_output_chunk"),
    tokens: together(prefixes.map((prefix) => tokenInstruments(meter, prefix === OLD_NAMES))),
  };
}

export interface OwnInstruments {
  readonly firstContent: RecordMs;
  readonly attemptFirstContent: RecordMs;
  readonly attempts: Counter;
  readonly fallbacks: Counter;
  readonly skipped: Counter;
  readonly transitions: Counter;
}

export function ownInstruments(meter: Meter): OwnInstruments {
  const time = (name: string) => seconds(meter, `ttft.client.${name}`, FIRST_CONTENT_BOUNDS);
  const count = (name: string, unit: string) => meter.createCounter(`ttft.client.${name}`, { unit: `{${unit}}` });
  return {
    firstContent: time("time_to_first_content"),
    attemptFirstContent: time("attempt.time_to_first_content"),
    attempts: count("attempts", "attempt"),
    fallbacks: count("fallbacks", "failover"),
    skipped: count("skipped", "skip"),
    transitions: count("circuit.transitions", "transition"),
  };
}

function seconds(meter: Meter, name: string, bounds: readonly number[]): RecordMs {
  const histogram = createHistogram(meter, name, "s", bounds);
  return (ms, attributes, context) => {
    const value = inSeconds(ms);
    if (value !== undefined) histogram.record(value, attributes, context);
  };
}

/** All of them, as one. */
function together<Heard extends readonly unknown[]>(records: readonly ((...heard: Heard) => void)[]) {
  return (...heard: Heard): void => {
    for (const record of records) record(...heard);
  };
}
