/** How a call ended, as far as its record does not say it in the words of telemetry. */
import type { Attributes } from "@opentelemetry/api";
import type { Failure } from "../base/failure.ts";
import type { Timing } from "../timing/timing.ts";
import type { CallRecord } from "../turn/record.ts";
import { errorTypeOf } from "./error-type.ts";
import type { Decided } from "./options.ts";
import { word } from "./words.ts";

export interface Ending {
  /** Of the endpoint that served, or was tried last. */
  readonly place: Attributes;
  readonly errorType: string | undefined;
  /** Fit for a status: our own sentence. */
  readonly message: string | undefined;
  readonly firstChunkMs: number | null;
  readonly responseModel: string | undefined;
  /** The provider's own word for it; `error` where one was expected and did not arrive. */
  readonly finishReason: string | undefined;
}

export function endingOf(record: CallRecord, place: Attributes, chunk: Decided["chunk"]): Ending {
  const { outcome, model, timing, rawStopReason, stopReason } = record;
  const failed = hasFailed(record);
  const failure = failed ? failureIn(record) : null;
  return {
    place,
    errorType: failed ? (errorTypeOf(failure) ?? outcome) : undefined,
    message: failed ? (failure?.message ?? "no endpoint could be tried") : undefined,
    firstChunkMs: isStreamed(timing) ? timing[FIRST[chunk]] : null,
    // A record falls back to the model that was asked for; before any event none has answered.
    responseModel: timing.events > 0 ? word(model) : undefined,
    finishReason: failed || outcome === "aborted" ? "error" : word(rawStopReason ?? stopReason),
  };
}

const FIRST = {
  output: "firstOutputMs",
  content: "ttftMs",
  event: "firstEventMs",
} as const satisfies Record<Decided["chunk"], keyof Timing>;

/** What came whole has no first chunk: it has content, and no time to it. */
function isStreamed({ ttftMs, contentChunks }: Timing): boolean {
  return ttftMs !== null || contentChunks === 0;
}

/** Not whole, and ended neither by the caller nor by the provider. */
function hasFailed({ outcome, terminal }: CallRecord): boolean {
  return outcome !== "complete" && outcome !== "aborted" && !terminal;
}

/** The one that the call ended with; those before it were recovered from. */
function failureIn({ outcome, attempts }: CallRecord): Failure | null {
  const ended = attempts.filter(({ failure }) => failure?.reason === outcome);
  return ended.at(-1)?.failure ?? null;
}
