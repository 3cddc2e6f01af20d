/** What is measured of a call and of its attempts when they have ended. */
import type { Attributes, Context } from "@opentelemetry/api";
import type { CallInfo } from "../turn/observer.ts";
import type { Attempt, CallRecord } from "../turn/record.ts";
import type { Ending } from "./ending.ts";
import { errorTypeOf } from "./error-type.ts";
import type { GenAiInstruments, OwnInstruments } from "./instruments.ts";
import { measured, ownName } from "./words.ts";

export function measureCall(
  instruments: GenAiInstruments,
  { timing, usage }: CallRecord,
  place: Attributes,
  { errorType, firstChunkMs, responseModel }: Ending,
  context: Context,
): void {
  const attributes = measured({ ...place, "gen_ai.response.model": responseModel });
  instruments.duration(timing.totalMs, errorType ? { ...attributes, "error.type": errorType } : attributes, context);
  instruments.firstChunk(firstChunkMs, attributes, context);
  if (usage) instruments.tokens(usage, attributes, context);
}

export function measureFirstContent(
  { firstContent }: OwnInstruments,
  call: CallInfo,
  { timing, endpoint, outcome }: CallRecord,
  place: Attributes,
  context: Context,
): void {
  if (timing.ttftMs === null) return;
  const attributes = measured({
    ...contentAttributes(call, endpoint ?? call.endpoint, place),
    "ttft.outcome": outcome,
    "server.address": place["server.address"],
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
  const ended = { ...ownAttributes(call, endpoint), "ttft.outcome": outcome, "error.type": errorTypeOf(failure) };
  attempts.add(1, measured(ended), context);
  if (timing.ttftMs === null) return;
  const attributes = measured({ ...contentAttributes(call, endpoint, place), "ttft.outcome": outcome });
  attemptFirstContent(timing.ttftMs, attributes, context);
}

function contentAttributes(call: CallInfo, endpoint: string, place: Attributes) {
  return {
    ...ownAttributes(call, endpoint),
    "gen_ai.provider.name": place["gen_ai.provider.name"],
    "gen_ai.request.model": place["gen_ai.request.model"],
    "ttft.prompt.band": call.promptBand,
  };
}

export function ownAttributes({ label }: Pick<CallInfo, "label">, endpoint: string) {
  return { "ttft.endpoint": ownName(endpoint), "ttft.label": ownName(label) };
}
