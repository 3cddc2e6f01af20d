/** Ollama's `/api/chat` (and `/api/generate`): one JSON object per line, the last one with `done: true`. */
import type { Frame } from "../wire/frame.ts";
import { listIn, textIn } from "./fields.ts";
import { frameError } from "./in-band-error.ts";
import type { DecoderOptions, Emit, Protocol, ProtocolDecoder } from "./protocol.ts";
import { DONE } from "./sentinel.ts";
import { ollamaStops, stopEvent } from "./stop-reasons.ts";
import { count } from "./usage.ts";

class OllamaDecoder implements ProtocolDecoder {
  readonly #collect: boolean;
  #started = false;
  #calls = 0;
  #content = "";
  #thinking = "";
  readonly #toolCalls: object[] = [];

  constructor(options?: DecoderOptions) {
    this.#collect = options?.collect ?? true;
  }

  frame(frame: Frame, emit: Emit): void {
    const error = frameError(frame);
    if (error) return emit(error);
    const line = frame.json();
    if (!this.#started && line?.model) {
      this.#started = true;
      emit({ type: "start", id: null, model: textIn(line.model) || null });
    }
    this.#message(line?.message ?? line, emit);
    if (line?.done === true) this.#end(line, emit);
  }

  output(): readonly object[] {
    const message: Record<string, unknown> = { role: "assistant", content: this.#content };
    if (this.#thinking) message.thinking = this.#thinking;
    if (this.#toolCalls.length > 0) message.tool_calls = this.#toolCalls;
    return this.#content || Object.keys(message).length > 2 ? [message] : [];
  }

  /** `/api/generate` has `response` where a message has `content`. */
  #message(message: any, emit: Emit): void {
    const thinking = textIn(message?.thinking);
    const text = textIn(message?.content ?? message?.response);
    if (thinking !== "") emit({ type: "reasoning", text: thinking, index: 0 });
    if (text !== "") emit({ type: "text", text, index: 0 });
    if (this.#collect) {
      this.#thinking += thinking;
      this.#content += text;
    }
    for (const call of listIn(message?.tool_calls)) this.#call(call, emit);
  }

  #call(call: any, emit: Emit): void {
    const name = textIn(call?.function?.name);
    if (name === "") return;
    const index = this.#calls++;
    emit({ type: "tool_call", index, id: textIn(call.id) || `call_${index}`, name });
    emit({ type: "tool_arguments", index, delta: JSON.stringify(call.function.arguments ?? {}) });
    if (this.#collect) this.#toolCalls.push(call);
  }

  #end(line: any, emit: Emit): void {
    const [inputTokens, outputTokens] = [count(line.prompt_eval_count), count(line.eval_count)];
    if (inputTokens !== null || outputTokens !== null) {
      emit({ type: "usage", usage: { inputTokens, outputTokens, cachedInputTokens: null, reasoningTokens: null } });
    }
    if (typeof line.done_reason === "string") {
      const stop = stopEvent(line.done_reason, ollamaStops);
      emit(stop.stopReason === "stop" && this.#calls > 0 ? { ...stop, stopReason: "tool_calls" } : stop);
    }
    emit(DONE);
  }
}

export const ollama: Protocol = {
  name: "ollama",
  framing: "ndjson",
  matches: (url) => /\/api\/(chat|generate)$/.test(url.pathname),
  createDecoder: (options) => new OllamaDecoder(options),
  errorBody: ({ message }) => ({ error: message }),
};
