/** OpenAI's Responses API: items are added, grow and end, between `response.created` and one of three terminal events. */
import type { Frame } from "../wire/frame.ts";
import { listIn, textIn } from "./fields.ts";
import { describeError, type ErrorEvent, frameError, inBandError } from "./in-band-error.ts";
import { openaiErrorBody } from "./openai-error-body.ts";
import type { Emit, Protocol, ProtocolDecoder } from "./protocol.ts";
import type { PartType } from "./response-item.ts";
import { ResponseItems } from "./response-items.ts";
import { DONE, isPing, KEEP_ALIVE, sentinelOf } from "./sentinel.ts";
import { responsesStops } from "./stop-reasons.ts";
import { openaiUsage } from "./usage.ts";

/** Event types that carry text, without `.delta` or `.done`, and the part it belongs to. */
const TEXTS = /* @__PURE__ */ new Map<unknown, PartType>([
  ["response.output_text", "output_text"],
  ["response.refusal", "refusal"],
  ["response.reasoning_text", "reasoning_text"],
  ["response.reasoning_summary_text", "summary_text"],
]);

class ResponsesDecoder implements ProtocolDecoder {
  readonly #items: ResponseItems;
  #hasStarted = false;

  constructor(collect: boolean) {
    this.#items = new ResponseItems(collect);
  }

  /** `[DONE]`, which routers add, says nothing here. */
  frame(frame: Frame, emit: Emit): void {
    const sentinel = sentinelOf(frame);
    if (sentinel === KEEP_ALIVE) emit(sentinel);
    if (!sentinel) this.#decode(frame, emit);
  }

  document(json: any, emit: Emit): void {
    const failure = inBandError(json);
    if (json?.object === "response" || json?.output) this.#end(json, json.status ?? "completed", failure, emit);
    else if (failure) emit(failure);
  }

  output(): readonly object[] {
    return this.#items.toBlocks();
  }

  #decode(frame: Frame, emit: Emit): void {
    const failure = frameError(frame);
    if (failure && frame.event === "error") return emit(failure);
    const json = frame.json();
    const type = textIn(json?.type) || frame.event;
    if (type === "response.failed") this.#end(json?.response, "failed", failure, emit);
    else if (failure) emit(failure);
    else if (type === "response.output_text.delta") this.#items.grow(json, "output_text", emit);
    else if (json) this.#event(type, json, emit);
  }

  /** Types that are not here have nothing for us, or will be repeated by one that is. */
  #event(type: string, json: any, emit: Emit): void {
    const items = this.#items;
    switch (type) {
      case "response.created":
      case "response.queued":
      case "response.in_progress":
        return this.#start(json.response, emit);
      case "response.output_item.added":
        return items.add(json, emit);
      case "response.output_item.done":
        return items.end(json, emit);
      case "response.function_call_arguments.delta":
      case "response.custom_tool_call_input.delta":
        return items.argue(json, emit);
      case "response.function_call_arguments.done":
      case "response.custom_tool_call_input.done":
        return items.endArguments(json, emit);
      case "response.content_part.done":
      case "response.reasoning_summary_part.done":
        return items.endPart(json, json.part, emit);
      case "response.completed":
        return this.#end(json.response, statusOf(json.response), null, emit);
      case "response.incomplete":
        return this.#end(json.response, "incomplete", null, emit);
    }
    if (isPing(type)) emit(KEEP_ALIVE);
    else this.#text(type, json, emit);
  }

  #text(type: string, json: any, emit: Emit): void {
    const dot = type.lastIndexOf(".");
    const part = TEXTS.get(type.slice(0, dot));
    if (!part) return;
    if (type.endsWith(".delta")) this.#items.grow(json, part, emit);
    if (type.endsWith(".done")) this.#items.endPart(json, { type: part, text: json.text ?? json.refusal }, emit);
  }

  #start(response: any, emit: Emit): void {
    const id = textIn(response?.id) || null;
    const model = textIn(response?.model) || null;
    if (this.#hasStarted || (id === null && model === null)) return;
    this.#hasStarted = true;
    emit({ type: "start", id, model });
  }

  #end(response: any, status: string, failure: ErrorEvent | null, emit: Emit): void {
    const hasFailed = status === "failed" || failure !== null;
    const output = listIn(response?.output);
    const isEmpty = this.#items.isEmpty && output.length === 0;
    this.#start(response, emit);
    if (!hasFailed) this.#items.endAll(output, emit);
    const usage = openaiUsage(response?.usage);
    if (usage) emit({ type: "usage", usage });
    // An empty answer to nothing is no word of the model's: it counts as no answer at all.
    if (!(status === "completed" && isEmpty)) this.#stop(response, status, emit);
    if (hasFailed) emit(failure ?? describeError(response?.error));
    else emit(status === "completed" ? DONE : { type: "end" });
  }

  #stop(response: any, status: string, emit: Emit): void {
    const reason = status === "incomplete" ? textIn(response?.incomplete_details?.reason) : "";
    const completed = status === "completed" ? (this.#items.hasOpenCall ? "tool_calls" : "stop") : null;
    emit({
      type: "stop",
      stopReason: completed ?? responsesStops.get(reason) ?? null,
      rawStopReason: reason ? `${status}:${reason}` : status,
    });
  }
}

/** Some hosts end every answer with the same event: then the status in it says how it ended. */
function statusOf(response: any): string {
  const status = textIn(response?.status);
  return /^(incomplete|failed|cancelled)$/.test(status) ? status : "completed";
}

export const openaiResponses: Protocol = {
  name: "openai-responses",
  framing: "sse",
  matches: ({ pathname }) => /\/responses\/?$/.test(pathname),
  createDecoder: (options) => new ResponsesDecoder(options?.collect ?? true),
  errorBody: openaiErrorBody,
};
