/** What is measured of a call and of its attempts when they have ended. */
import type { Attributes, Context } from "@opentelemetry/api";
import type { CallInfo } from "../turn/observer.ts";
import type { Attempt, CallRecord } from "../turn/record.ts";
import type { Ending } from "./ending.ts";
import { errorTypeOf } from "./error-type.ts";
import type { GenAiInstruments, OwnInstruments } from "./instruments.ts";
import { bounded, ownName } from "./words.ts";

export function measureCall(instruments: GenAiInstruments, record: CallRecord, ending: Ending, context: Context): void {
  const { place, errorType, firstChunkMs, responseModel } = ending;
  const attributes = bounded({ ...place, "gen_ai.response.model": responseModel });
  const ended = errorType === undefined ? attributes : { ...attributes, "error.type": errorType };
  instruments.duration(record.timing.totalMs, ended, context);
  instruments.firstChunk(firstChunkMs, attributes, context);
  if (record.usage) instruments.tokens(record.usage, attributes, context);
}

export function measureFirstContent(
  { firstContent }: OwnInstruments,
  call: CallInfo,
  { timing, endpoint, outcome }: CallRecord,
  place: Attributes,
  context: Context,
): void {
  if (timing.ttftMs === null) return;
  const attributes = bounded({
    ...contentAttributes(call, endpoint ?? call.endpoint, place),
    "server.address": place["server.address"],
    "ttft.outcome": outcome,
    "ttft.fell_back": endpoint !== call.endpoint,
  });
  firstContent(timing.ttftMs, attributes, context);
}

export function measureAttempt(
  { attempts, attemptFirstContent }: OwnInstruments,
  call: CallInfo,
  { endpoint, outcome, failure, timing }: Attempt,
  place: Attributes,
  context: Context,
): void {
  const ended = { ...ownAttributes(call, endpoint), "ttft.outcome": outcome ?? undefined };
  attempts.add(1, bounded({ ...ended, "error.type": errorTypeOf(failure) }), context);
  if (timing.ttftMs === null) return;
  const attributes = bounded({ ...contentAttributes(call, endpoint, place), ...ended });
  attemptFirstContent(timing.ttftMs, attributes, context);
}

function contentAttributes(call: CallInfo, endpoint: string, place: Attributes): Attributes {
  return {
    ...ownAttributes(call, endpoint),
    "gen_ai.provider.name": place["gen_ai.provider.name"],
    "gen_ai.request.model": place["gen_ai.request.model"],
    "ttft.prompt.band": call.promptBand,
  };
}

export function ownAttributes({ label }: Pick<CallInfo, "label">, endpoint: string): Attributes {
  return { "ttft.endpoint": ownName(endpoint), "ttft.label": ownName(label) };
}
