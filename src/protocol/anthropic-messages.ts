/** Anthropic's Messages API, from `message_start` to `message_stop`. */
import type { Failure } from "../base/failure.ts";
import type { Frame } from "../wire/frame.ts";
import { AnthropicBlocks } from "./anthropic-blocks.ts";
import { listIn, nameIn, textIn } from "./fields.ts";
import { frameError, inBandError } from "./in-band-error.ts";
import type { DecoderOptions, Emit, Protocol, ProtocolDecoder } from "./protocol.ts";
import { DONE, KEEP_ALIVE, sentinelOf } from "./sentinel.ts";
import { anthropicStops, stopEvent } from "./stop-reasons.ts";
import { sum, takeCounts } from "./token-counts.ts";

class AnthropicDecoder implements ProtocolDecoder {
  readonly #blocks: AnthropicBlocks;
  readonly #counts = {
    input_tokens: null,
    cache_read_input_tokens: null,
    cache_creation_input_tokens: null,
    output_tokens: null,
  };
  readonly #outputDetails = { thinking_tokens: null };
  #started = false;

  constructor(options?: DecoderOptions) {
    this.#blocks = new AnthropicBlocks(options?.collect ?? true);
  }

  frame(frame: Frame, emit: Emit): void {
    const sentinel = sentinelOf(frame);
    if (sentinel === KEEP_ALIVE) emit(KEEP_ALIVE);
    if (sentinel) return;
    const error = frameError(frame);
    if (error) return emit(error);
    const data = frame.json();
    if (typeof data !== "object" || data === null) return;
    switch (data.type ?? frame.event) {
      case "content_block_delta":
        return this.#blocks.grow(data.index, data.delta, emit);
      case "content_block_start":
        return this.#blocks.open(data.index, data.content_block, emit);
      case "ping":
      case "keepalive":
        return emit(KEEP_ALIVE);
      case "message_start":
        if (this.#started) return emit({ type: "malformed", message: "a second message_start" });
        return this.#start(data.message, emit);
      case "message_delta":
        this.#count(data.usage, emit);
        return this.#stop(data.delta?.stop_reason, emit);
      case "message_stop":
        return emit(DONE);
    }
  }

  document(json: any, emit: Emit): void {
    const error = inBandError(json);
    if (error) return emit(error);
    this.#start(json, emit);
    this.#stop(json?.stop_reason, emit);
    emit(DONE);
  }

  output(): readonly object[] {
    return this.#blocks.output;
  }

  /** A message may begin with blocks that are already whole: calls made from within code execution do. */
  #start(message: any, emit: Emit): void {
    this.#started = true;
    emit({ type: "start", id: textIn(message?.id) || null, model: textIn(message?.model) || null });
    for (const block of listIn(message?.content)) this.#blocks.open(null, block, emit);
    this.#count(message?.usage, emit);
  }

  #stop(raw: unknown, emit: Emit): void {
    if (typeof raw === "string") emit(stopEvent(raw, anthropicStops));
  }

  #count(usage: any, emit: Emit): void {
    if (!takeCounts(this.#counts, usage)) return;
    takeCounts(this.#outputDetails, usage.output_tokens_details);
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = this.#counts;
    emit({
      type: "usage",
      usage: {
        inputTokens: sum(input_tokens, cache_read_input_tokens, cache_creation_input_tokens),
        outputTokens: output_tokens,
        cachedInputTokens: cache_read_input_tokens,
        reasoningTokens: this.#outputDetails.thinking_tokens,
      },
    });
  }
}

/** What a failure that the provider gave no type amounts to. */
const errorTypes: { readonly [status: number]: string } = {
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

export const anthropicMessages: Protocol = {
  name: "anthropic-messages",
  framing: "sse",
  matches: (url) => /\/messages\/?$|\/anthropic\/.*:streamRawPredict$/.test(url.pathname),
  request: { headers: { "anthropic-version": "2023-06-01" } },
  authorize: (apiKey) => ({ "x-api-key": apiKey }),
  createDecoder: (options) => new AnthropicDecoder(options),
  errorBody: ({ status, providerType, message }: Failure) => ({
    type: "error",
    error: { type: nameIn(providerType) || (errorTypes[status ?? 0] ?? "api_error"), message },
  }),
};
