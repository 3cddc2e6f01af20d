/** The span of a call: what is known of it when it begins, and when it has ended. */
import { type Attributes, type Context, type Span, SpanKind, type Tracer } from "@opentelemetry/api";
import type { CallInfo } from "../turn/observer.ts";
import type { CallRecord } from "../turn/record.ts";
import type { Ending } from "./ending.ts";
import { inSeconds } from "./seconds.ts";
import { endSpan, setKnown } from "./span.ts";
import { ownName, word } from "./words.ts";

const API_TYPES: Readonly<Record<string, string | undefined>> = {
  "openai-chat": "chat_completions",
  "openai-responses": "responses",
};

export function startOperation(tracer: Tracer, call: CallInfo, attributes: Attributes, parent: Context): Span {
  const model = attributes["gen_ai.request.model"];
  const name = `${attributes["gen_ai.operation.name"]}${model ? ` ${model}` : ""}`;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes }, parent);
  if (span.isRecording()) {
    span.setAttribute("gen_ai.request.stream", true);
    for (const [name, value] of Object.entries(call.parameters)) {
      if (name !== "n") span.setAttribute(`gen_ai.request.${name}`, value);
      else if (value !== 1) span.setAttribute("gen_ai.request.choice.count", value);
    }
  }
  return span;
}

export function endOperation(span: Span, record: CallRecord, place: Attributes, ending: Ending): void {
  if (span.isRecording()) {
    setKnown(span, place);
    setKnown(span, answerOf(record, ending));
    setKnown(span, ownAttributesOf(record));
  }
  endSpan(span, ending.message);
}

function answerOf(
  { id, protocol, usage }: CallRecord,
  { responseModel, finishReason, firstChunkMs, errorType }: Ending,
) {
  return {
    "gen_ai.response.id": word(id),
    "gen_ai.response.model": responseModel,
    "gen_ai.response.finish_reasons": finishReason && [finishReason],
    "gen_ai.response.time_to_first_chunk": inSeconds(firstChunkMs),
    "gen_ai.usage.input_tokens": usage?.inputTokens,
    "gen_ai.usage.output_tokens": usage?.outputTokens,
    "gen_ai.usage.cache_read.input_tokens": usage?.cachedInputTokens,
    "gen_ai.usage.reasoning.output_tokens": usage?.reasoningTokens,
    "openai.api.type": API_TYPES[protocol],
    "error.type": errorType,
  };
}

function ownAttributesOf({ outcome, attempts, timing, protocol, promptBand, label }: CallRecord) {
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
