/** OpenAI's Responses API: items begin, grow and end, between `response.created` and one of three terminal events. */
import type { Frame } from "../wire/frame.ts";
import { listIn, textIn } from "./fields.ts";
import { describeError, type ErrorEvent, frameError, inBandError } from "./in-band-error.ts";
import { openaiErrorBody } from "./openai-error-body.ts";
import type { Emit, Protocol, ProtocolDecoder } from "./protocol.ts";
import type { PartType } from "./response-item.ts";
import { ResponseItems } from "./response-items.ts";
import { DONE, isPing, KEEP_ALIVE, sentinelOf } from "./sentinel.ts";
import { responsesStops } from "./stop-reasons.ts";
import { jsonText } from "./tool-calls.ts";
import { openaiUsage } from "./usage.ts";

/** What events carry that come as `response.<name>.delta` and `response.<name>.done`. */
const GROWING = /* @__PURE__ */ new Map<string, PartType | "arguments">([
  ["output_text", "output_text"],
  ["refusal", "refusal"],
  ["reasoning_text", "reasoning_text"],
  ["reasoning_summary_text", "summary_text"],
  ["function_call_arguments", "arguments"],
  ["custom_tool_call_input", "arguments"],
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
    if (json?.object === "response" || json?.output) this.#end(json, textIn(json.status) || "completed", failure, emit);
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
    else if (isPing(type)) emit(KEEP_ALIVE);
    else if (json) this.#event(type, json, emit);
  }

  /** Events that are not here have nothing for us, or say what another one says as well. */
  #event(type: string, json: any, emit: Emit): void {
    // By far the most: known without looking anything up.
    if (type === "response.output_text.delta") return this.#grow(json, "output_text", false, emit);
    const isDone = type.endsWith(".done");
    const name = type.slice("response.".length, isDone ? -".done".length : -".delta".length);
    const part = GROWING.get(name);
    if (part) this.#grow(json, part, isDone, emit);
    else if (name === "output_item") this.#items.take(this.#items.at(json, emit), json.item, isDone, emit);
    else if (type === "response.completed") this.#end(json.response, statusOf(json.response), null, emit);
    else if (type === "response.incomplete") this.#end(json.response, "incomplete", null, emit);
    else this.#start(json.response, emit);
  }

  #grow(json: any, part: PartType | "arguments", isDone: boolean, emit: Emit): void {
    const item = this.#items.at(json, emit);
    const text = isDone ? jsonText(json.text ?? json.refusal ?? json.arguments ?? json.input) : textIn(json.delta);
    if (part === "arguments") return this.#items.argue(item, text, isDone, emit);
    // A summary has indexes of its own.
    const key = part === "summary_text" ? ~json.summary_index : (json.content_index ?? 0);
    this.#items.say(item, key, part, text, isDone, emit);
  }

  #start(response: any, emit: Emit): void {
    const id = textIn(response?.id) || null;
    const model = textIn(response?.model) || null;
    if (this.#hasStarted || !(id ?? model)) return;
    this.#hasStarted = true;
    emit({ type: "start", id, model });
  }

  #end(response: any, status: string, failure: ErrorEvent | null, emit: Emit): void {
    const hasFailed = status === "failed" || failure !== null;
    const output = listIn(response?.output);
    const isNothing = status === "completed" && this.#items.isEmpty && output.length === 0;
    this.#start(response, emit);
    if (!hasFailed) this.#items.takeAll(output, emit);
    const usage = openaiUsage(response?.usage);
    if (usage) emit({ type: "usage", usage });
    // A bare `response.completed` is no word of the model's: the answer counts as empty.
    if (!isNothing) this.#stop(response, status, emit);
    if (hasFailed) emit(failure ?? describeError(response?.error));
    else emit(status === "completed" ? DONE : { type: "end" });
  }

  #stop(response: any, status: string, emit: Emit): void {
    const reason = status === "incomplete" ? textIn(response?.incomplete_details?.reason) : "";
    const chosen = status === "completed" ? (this.#items.hasOpenCall ? "tool_calls" : "stop") : null;
    const stopReason = chosen ?? responsesStops.get(reason) ?? null;
    emit({ type: "stop", stopReason, rawStopReason: reason ? `${status}:${reason}` : status });
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
