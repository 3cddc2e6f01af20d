/** How a call ended, where telemetry has other words for it than the record. */
import type { Failure } from "../base/failure.ts";
import type { Timing } from "../timing/timing.ts";
import type { CallRecord } from "../turn/record.ts";
import { errorTypeOf } from "./error-type.ts";
import type { Decided } from "./options.ts";
import { word } from "./words.ts";

export interface Ending {
  readonly errorType: string | null;
  /** Fit for a status: our own sentence. */
  readonly message: string | null;
  readonly firstChunkMs: number | null;
  readonly responseModel: string | null;
  /** The provider's own word for it; `error` where one was expected and did not arrive. */
  readonly finishReason: string | null;
}

export function endingOf(record: CallRecord, chunk: Decided["chunk"]): Ending {
  const { outcome, terminal, model, timing, attempts } = record;
  const whole = outcome === "complete" || terminal;
  const failed = !whole && outcome !== "aborted";
  // The one that the call ended with; those before it were recovered from.
  const failure: Failure | null | undefined = attempts
    .filter(({ failure }) => failure?.reason === outcome)
    .at(-1)?.failure;
  return {
    errorType: failed ? (errorTypeOf(failure) ?? outcome) : null,
    message: failed ? (failure?.message ?? "no endpoint could be tried") : null,
    firstChunkMs: isStreamed(timing) ? timing[FIRST[chunk]] : null,
    // A record falls back to the model that was asked for; before any event none has answered.
    responseModel: timing.events > 0 ? word(model) : null,
    finishReason: whole ? word(record.rawStopReason ?? record.stopReason) : "error",
  };
}

const FIRST = {
  output: "firstOutputMs",
  content: "ttftMs",
  event: "firstEventMs",
} as const satisfies Record<Decided["chunk"], keyof Timing>;

/** An answer that came whole has no first chunk: it has content, but no time to first content. */
function isStreamed({ ttftMs, contentChunks }: Timing): boolean {
  return ttftMs !== null || contentChunks === 0;
}
