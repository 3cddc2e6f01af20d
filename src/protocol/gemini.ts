/** Gemini's `streamGenerateContent`: frames of parts, and no end but that of the body. */
import type { Failure } from "../base/failure.ts";
import type { Frame } from "../wire/frame.ts";
import { listIn, nameIn, textIn } from "./fields.ts";
import { GeminiParts } from "./gemini-parts.ts";
import { type ErrorEvent, frameError, inBandError } from "./in-band-error.ts";
import type { DecoderOptions, Emit, Protocol, ProtocolDecoder } from "./protocol.ts";
import { DONE, KEEP_ALIVE, sentinelOf } from "./sentinel.ts";
import { geminiStops, stopEvent } from "./stop-reasons.ts";
import { sum, takeCounts } from "./token-counts.ts";
import { count } from "./usage.ts";

class GeminiDecoder implements ProtocolDecoder {
  readonly #parts: GeminiParts;
  readonly #counts = {
    promptTokenCount: null,
    toolUsePromptTokenCount: null,
    cachedContentTokenCount: null,
    candidatesTokenCount: null,
    thoughtsTokenCount: null,
  };
  #started = false;
  /** Of the latest frame that had parts or a reason: an early `STOP` that more parts follow is not the end. */
  #finishReason = "";
  #blockReason = "";

  constructor(options?: DecoderOptions) {
    this.#parts = new GeminiParts(options?.collect ?? true);
  }

  frame(frame: Frame, emit: Emit): void {
    const sentinel = sentinelOf(frame);
    if (sentinel === KEEP_ALIVE) emit(KEEP_ALIVE);
    if (sentinel) return;
    const error = frameError(frame);
    if (error) this.#fail(error, emit);
    else this.#read(frame.json(), emit);
  }

  document(json: any, emit: Emit): void {
    if (this.#read(json, emit)) this.end(emit);
  }

  end(emit: Emit): void {
    if (this.#stop(emit)) emit(DONE);
  }

  output(): readonly object[] {
    return this.#parts.output;
  }

  /** Without `alt=sse` the answer is one array of the same chunks. False if it says that it has failed. */
  #read(json: any, emit: Emit): boolean {
    for (const chunk of Array.isArray(json) ? json : [json]) {
      const error = inBandError(chunk);
      if (error) {
        this.#fail(error, emit);
        return false;
      }
      this.#chunk(chunk, emit);
    }
    return true;
  }

  /** The reason that came before the failure still counts. */
  #fail(error: ErrorEvent, emit: Emit): void {
    emit(error);
    this.#stop(emit);
  }

  #chunk(json: any, emit: Emit): void {
    if (!this.#started && (json?.responseId || json?.modelVersion)) {
      this.#started = true;
      emit({ type: "start", id: textIn(json.responseId) || null, model: textIn(json.modelVersion) || null });
    }
    this.#blockReason = textIn(json?.promptFeedback?.blockReason) || this.#blockReason;
    for (const candidate of listIn(json?.candidates)) {
      const index = count(candidate?.index) ?? 0;
      if (index === 0) this.#candidate(candidate, emit);
      else emit({ type: "ignored_choice", index });
    }
    this.#count(json?.usageMetadata, emit);
  }

  #candidate(candidate: any, emit: Emit): void {
    const parts = listIn(candidate?.content?.parts);
    const finishReason = textIn(candidate?.finishReason);
    if (parts.length > 0 || finishReason !== "") this.#finishReason = finishReason;
    for (const part of parts) this.#parts.add(part, emit);
  }

  /** True if the answer has ended in a way that is known. */
  #stop(emit: Emit): boolean {
    const raw = this.#finishReason || this.#blockReason;
    if (raw === "") return false;
    let { stopReason } = stopEvent(raw, geminiStops);
    if (this.#finishReason === "") stopReason = "refusal";
    else if (stopReason === "stop" && this.#parts.isCalling) stopReason = "tool_calls";
    emit({ type: "stop", stopReason, rawStopReason: raw });
    return stopReason !== null;
  }

  /** Neither the prompts of tools nor thoughts are in the two main counts. */
  #count(usage: unknown, emit: Emit): void {
    if (!takeCounts(this.#counts, usage)) return;
    const counts = this.#counts;
    emit({
      type: "usage",
      usage: {
        inputTokens: sum(counts.promptTokenCount, counts.toolUsePromptTokenCount),
        outputTokens: sum(counts.candidatesTokenCount, counts.thoughtsTokenCount),
        cachedInputTokens: counts.cachedContentTokenCount,
        reasoningTokens: counts.thoughtsTokenCount,
      },
    });
  }
}

/** What a failure that the provider gave no status amounts to. */
const errorStatuses: { readonly [status: number]: string } = {
  429: "RESOURCE_EXHAUSTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

export const gemini: Protocol = {
  name: "gemini",
  framing: "sse",
  matches: (url) => url.pathname.endsWith(":streamGenerateContent"),
  request: { omit: ["model", "stream"] },
  authorize: (apiKey) => ({ "x-goog-api-key": apiKey }),
  createDecoder: (options) => new GeminiDecoder(options),
  errorBody: ({ status, providerType, message }: Failure) => ({
    error: { code: status ?? 502, message, status: nameIn(providerType) || (errorStatuses[status ?? 0] ?? "INTERNAL") },
  }),
};
