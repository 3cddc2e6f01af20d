/** Cohere's Chat API v2, from `message-start` to `message-end`. */
import type { Frame } from "../wire/frame.ts";
import { listIn, textIn } from "./fields.ts";
import { frameError, inBandError } from "./in-band-error.ts";
import type { DecoderOptions, Emit, Protocol, ProtocolDecoder } from "./protocol.ts";
import { DONE, KEEP_ALIVE, sentinelOf } from "./sentinel.ts";
import { cohereStops, stopEvent } from "./stop-reasons.ts";
import { type Call, ToolCalls } from "./tool-calls.ts";
import { count } from "./usage.ts";

class CohereDecoder implements ProtocolDecoder {
  readonly #collect: boolean;
  readonly #calls: ToolCalls;
  /** Kept by the provider's index, in order of arrival. */
  readonly #content = new Map<unknown, any>();
  readonly #citations: object[] = [];
  #toolPlan = "";

  constructor(options?: DecoderOptions) {
    this.#collect = options?.collect ?? true;
    this.#calls = new ToolCalls(this.#collect);
  }

  frame(frame: Frame, emit: Emit): void {
    const sentinel = sentinelOf(frame);
    if (sentinel === KEEP_ALIVE) emit(KEEP_ALIVE);
    if (sentinel) return;
    const error = frameError(frame);
    if (error) return emit(error);
    const data = frame.json();
    const message = data?.delta?.message;
    switch (data?.type) {
      case "content-start":
      case "content-delta":
        return this.#say(data.index, message?.content, emit);
      case "tool-plan-delta":
        return this.#plan(textIn(message?.tool_plan), emit);
      case "tool-call-start":
      case "tool-call-delta":
        return this.#call(data.index, message?.tool_calls, emit);
      case "citation-start":
        if (this.#collect && message?.citations) this.#citations.push(message.citations);
        return;
      case "message-start":
        return emit({ type: "start", id: textIn(data.id) || null, model: null });
      case "message-end":
        return this.#end(data.delta, emit);
    }
  }

  document(json: any, emit: Emit): void {
    const error = inBandError(json);
    if (error) return emit(error);
    emit({ type: "start", id: textIn(json?.id) || null, model: null });
    const message = json?.message;
    this.#plan(textIn(message?.tool_plan), emit);
    for (const [index, block] of listIn(message?.content).entries()) this.#say(index, block, emit);
    for (const [index, call] of listIn(message?.tool_calls).entries()) this.#call(index, call, emit);
    if (this.#collect) this.#citations.push(...listIn(message?.citations));
    this.#end(json, emit);
  }

  output(): readonly object[] {
    if (!this.#collect) return [];
    const message: Record<string, unknown> = {};
    const toolCalls = this.#calls.list.filter((call) => call.name !== "");
    if (this.#content.size > 0) message.content = [...this.#content.values()];
    if (this.#toolPlan) message.tool_plan = this.#toolPlan;
    if (toolCalls.length > 0) message.tool_calls = toolCalls.map(wholeCall);
    if (this.#citations.length > 0) message.citations = this.#citations;
    return Object.keys(message).length > 0 ? [{ role: "assistant", ...message }] : [];
  }

  #say(key: unknown, content: any, emit: Emit): void {
    const index = count(key) ?? 0;
    const text = textIn(content?.text);
    const thinking = textIn(content?.thinking);
    if (thinking !== "") emit({ type: "reasoning", text: thinking, index });
    if (text !== "") emit({ type: "text", text, index });
    if (this.#collect) this.#keep(key, text, thinking);
  }

  #keep(key: unknown, text: string, thinking: string): void {
    const block = this.#content.get(key);
    if (block) block[block.type] += text + thinking;
    else if (thinking !== "") this.#content.set(key, { type: "thinking", thinking });
    else if (text !== "") this.#content.set(key, { type: "text", text });
  }

  /** What the model means to do with its tools: it comes before the calls, and is no answer. */
  #plan(text: string, emit: Emit): void {
    if (text === "") return;
    if (this.#collect) this.#toolPlan += text;
    emit({ type: "reasoning", text, index: 0 });
  }

  #call(key: unknown, piece: any, emit: Emit): void {
    const [id, name, delta] = [piece?.id, piece?.function?.name, piece?.function?.arguments].map(textIn) as Strings;
    const call = this.#calls.at(key, id, name, delta, emit);
    this.#calls.announce(call, id, name, emit);
    this.#calls.argue(call, delta, emit);
  }

  #end(end: any, emit: Emit): void {
    const usage = end?.usage;
    const tokens = usage?.tokens ?? usage?.billed_units;
    if (tokens) {
      emit({
        type: "usage",
        usage: {
          inputTokens: count(tokens.input_tokens),
          outputTokens: count(tokens.output_tokens),
          cachedInputTokens: count(usage.cached_tokens),
          reasoningTokens: count(tokens.reasoning_tokens),
        },
      });
    }
    if (typeof end?.finish_reason === "string") emit(stopEvent(end.finish_reason, cohereStops));
    emit(DONE);
  }
}

type Strings = [string, string, string];

/** Sent back, arguments have to be JSON, even if there are none. */
const wholeCall = ({ index, id, name, kept }: Call): object => ({
  id: id || `call_${index}`,
  type: "function",
  function: { name, arguments: `${kept}` || "{}" },
});

export const cohereV2: Protocol = {
  name: "cohere-v2",
  framing: "sse",
  matches: (url) => url.pathname.endsWith("/v2/chat"),
  createDecoder: (options) => new CohereDecoder(options),
  errorBody: ({ message }) => ({ message }),
};
