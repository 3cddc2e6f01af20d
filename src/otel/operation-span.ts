/** The span of a call: what is known of it when it begins, and when it has ended. */
import { type Attributes, type Context, type Span, SpanKind, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { CallInfo } from "../turn/observer.ts";
import type { CallRecord } from "../turn/record.ts";
import type { Ending } from "./ending.ts";
import { inSeconds } from "./seconds.ts";
import { entriesOf, TOKEN_NAMES } from "./tokens.ts";
import { known, ownName, word } from "./words.ts";

const API_TYPES: Readonly<Record<string, string | undefined>> = {
  "openai-chat": "chat_completions",
  "openai-responses": "responses",
};

export function startOperation(tracer: Tracer, call: CallInfo, place: Attributes, parent: Context): Span {
  const model = place["gen_ai.request.model"];
  const name = `${place["gen_ai.operation.name"]}${model === undefined ? "" : ` ${model}`}`;
  const attributes = known({ ...place, "gen_ai.request.stream": true, ...parametersOf(call) });
  return tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
}

function parametersOf({ parameters }: CallInfo): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(parameters)) {
    if (name !== "n") attributes[`gen_ai.request.${name}`] = value;
    else if (value !== 1) attributes["gen_ai.request.choice.count"] = value;
  }
  return attributes;
}

export function endOperation(span: Span, record: CallRecord, ending: Ending): void {
  if (span.isRecording()) {
    span.setAttributes(known({ ...ending.place, ...answerOf(record, ending), ...ownAttributesOf(record) }));
    const { message } = ending;
    if (message !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message });
  }
  span.end();
}

function answerOf({ id, protocol, usage }: CallRecord, ending: Ending): Attributes {
  const { responseModel, finishReason, firstChunkMs, errorType } = ending;
  const attributes: Attributes = {
    "gen_ai.response.id": word(id),
    "gen_ai.response.model": responseModel,
    "gen_ai.response.finish_reasons": finishReason === undefined ? undefined : [finishReason],
    "gen_ai.response.time_to_first_chunk": inSeconds(firstChunkMs),
    "openai.api.type": API_TYPES[protocol],
    "error.type": errorType,
  };
  for (const [count, name] of entriesOf(TOKEN_NAMES)) attributes[`gen_ai.usage.${name}`] = usage?.[count] ?? undefined;
  return attributes;
}

function ownAttributesOf({ outcome, attempts, timing, protocol, promptBand, label }: CallRecord): Attributes {
  return {
    "ttft.outcome": outcome,
    "ttft.turn.complete": outcome === "complete",
    "ttft.attempts": attempts.length,
    "ttft.time_to_headers": inSeconds(timing.headersMs),
    "ttft.time_to_first_event": inSeconds(timing.firstEventMs),
    "ttft.time_to_first_content": inSeconds(timing.ttftMs),
    "ttft.max_gap": inSeconds(timing.maxGapMs),
    "ttft.content_chunks": timing.contentChunks,
    "ttft.protocol": word(protocol),
    "ttft.prompt.band": promptBand,
    "ttft.label": ownName(label),
  };
}
