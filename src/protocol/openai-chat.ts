/** OpenAI's Chat Completions, as OpenAI and the many hosts that speak it really send it; legacy Completions as well. */
import type { Frame } from "../wire/frame.ts";
import { ChatAnswer } from "./chat-answer.ts";
import { listIn, textIn } from "./fields.ts";
import { frameError, inBandError } from "./in-band-error.ts";
import { openaiErrorBody } from "./openai-error-body.ts";
import type { DecoderOptions, Emit, Protocol, ProtocolDecoder, StopReason } from "./protocol.ts";
import { DONE, isPing, KEEP_ALIVE, sentinelOf } from "./sentinel.ts";
import { chatStops, cutShort } from "./stop-reasons.ts";
import { openaiUsage } from "./usage.ts";

/** Perplexity sends no `[DONE]`; its last chunk is of this kind. */
const DONE_OBJECT = "chat.completion.done";

class ChatDecoder implements ProtocolDecoder {
  readonly #answer: ChatAnswer;
  #started = false;
  #stopReason: StopReason | null = null;
  #rawStopReason = "";

  constructor(collect: boolean) {
    this.#answer = new ChatAnswer(collect);
  }

  frame(frame: Frame, emit: Emit): void {
    const sentinel = sentinelOf(frame);
    if (sentinel) emit(sentinel);
    else this.#decode(frame, emit);
  }

  document(json: any, emit: Emit): void {
    const failure = inBandError(json);
    if (failure) emit(failure);
    if (!Array.isArray(json?.choices)) return;
    this.#take(json, emit, failure !== null);
    if (!failure) emit(DONE);
  }

  output(): readonly object[] {
    return this.#answer.toBlocks();
  }

  #decode(frame: Frame, emit: Emit): void {
    const failure = frameError(frame);
    if (failure) emit(failure);
    if (frame.event !== "error") this.#chunk(frame.json(), emit, failure !== null);
  }

  #chunk(json: any, emit: Emit, hasFailed: boolean): void {
    if (json?.choices?.length > 0 || hasFailed || json?.object === DONE_OBJECT || json?.usage) {
      this.#take(json, emit, hasFailed);
      if (json.object === DONE_OBJECT) emit(DONE);
    } else if (json?.choices || isPing(json?.type)) emit(KEEP_ALIVE);
  }

  /**
   * The first choice is the turn; of the others it is only said that they came. Of a frame that says that the answer has
   * failed, the stop reason and the usage still count.
   */
  #take(json: any, emit: Emit, hasFailed: boolean): void {
    if (!this.#started && !hasFailed) this.#start(json, emit);
    let stopped: any;
    for (const choice of listIn(json.choices)) {
      if (choice?.index) emit({ type: "ignored_choice", index: choice.index });
      else if (choice && !hasFailed) this.#answer.add(choice, emit);
      if (textIn(choice?.finish_reason) && !choice.index) stopped = choice;
    }
    const usage = openaiUsage(json.usage ?? json.x_groq?.usage);
    if (usage) emit({ type: "usage", usage });
    if (stopped) this.#stop(stopped.finish_reason, cutShort(stopped.native_finish_reason), emit);
  }

  #start(json: any, emit: Emit): void {
    const id = textIn(json.id) || null;
    const model = textIn(json.model) || null;
    this.#started = id !== null || model !== null;
    if (this.#started) emit({ type: "start", id, model });
  }

  /** OpenRouter repeats its reason on the chunk with the usage; a repetition without the provider's own word adds nothing. */
  #stop(rawStopReason: string, cut: StopReason | null, emit: Emit): void {
    const stopReason = cut ?? chatStops.get(rawStopReason) ?? null;
    if (rawStopReason === this.#rawStopReason && (cut === null || cut === this.#stopReason)) return;
    this.#rawStopReason = rawStopReason;
    this.#stopReason = stopReason;
    emit({ type: "stop", stopReason, rawStopReason });
  }
}

export const createChatDecoder = (options?: DecoderOptions): ProtocolDecoder =>
  new ChatDecoder(options?.collect ?? true);

export const openaiChat: Protocol = {
  name: "openai-chat",
  framing: "sse",
  matches: ({ pathname }) => /\/chat\/completions\/?$/.test(pathname),
  request: { defaults: { stream_options: { include_usage: true } } },
  createDecoder: createChatDecoder,
  errorBody: openaiErrorBody,
};
