/** OpenAI's Chat Completions, as OpenAI and the many hosts that speak it really send it. */
import { ChatMessage, LEGACY } from "./chat-message.ts";
import { ChoicesDecoder } from "./choices.ts";
import { listIn, textIn } from "./fields.ts";
import { openaiErrorBody } from "./openai-error-body.ts";
import type { Emit, Protocol } from "./protocol.ts";
import { jsonText, ToolCalls } from "./tool-calls.ts";

class ChatDecoder extends ChoicesDecoder {
  readonly #calls: ToolCalls;
  readonly #message: ChatMessage | null;
  #hasBegun = false;

  constructor(collect: boolean) {
    super();
    this.#calls = new ToolCalls(collect);
    this.#message = collect ? new ChatMessage(this.#calls) : null;
  }

  override output(): readonly object[] {
    return this.#message?.toBlocks() ?? [];
  }

  /** Some hosts stream the answer as one chunk with a `message`; others repeat the whole beside the last delta. */
  protected override choice({ delta, message }: any, emit: Emit): void {
    if (delta) this.#add(delta, emit, false);
    else if (message && !this.#hasBegun) this.#add(message, emit, true);
  }

  #add(delta: any, emit: Emit, isWhole: boolean): void {
    const { content, reasoning, reasoning_content, reasoning_details } = delta;
    if (reasoning || reasoning_content || reasoning_details) this.#reasoning(delta, emit);
    if (typeof content === "string") this.#text(content, emit);
    else if (content) this.#parts(listIn(content), emit);
    if (delta.refusal) this.#refusal(textIn(delta.refusal), emit);
    if (delta.tool_calls) this.#toolCalls(listIn(delta.tool_calls), emit, isWhole);
    if (delta.function_call) this.#piece(LEGACY, "", delta.function_call, LEGACY, emit);
  }

  #text(text: string, emit: Emit): void {
    if (text === "") return;
    this.#hasBegun = true;
    this.#message?.add("text", text);
    emit({ type: "text", text, index: 0 });
  }

  #refusal(text: string, emit: Emit): void {
    if (text === "") return;
    this.#hasBegun = true;
    if (this.#message) this.#message.refusal += text;
    emit({ type: "refusal", text, index: 0 });
  }

  /** One thought under several names is one text: the first that is not empty. */
  #reasoning({ reasoning, reasoning_content, reasoning_details }: any, emit: Emit): void {
    const text = textIn(reasoning) || textIn(reasoning_content);
    const details = listIn(reasoning_details);
    if (this.#message && text !== "") {
      this.#message.reasoning += text;
      this.#message.reasoningField ||= text === reasoning ? "reasoning" : "reasoning_content";
    }
    if (this.#message) for (const detail of details) this.#message.addDetail(detail);
    this.#thought(text || details.map((detail) => textIn(detail?.text) || textIn(detail?.summary)).join(""), emit);
  }

  #thought(text: string, emit: Emit): void {
    if (text === "") return;
    this.#hasBegun = true;
    emit({ type: "reasoning", text, index: 0 });
  }

  /** Mistral's reasoning models send their content in parts. */
  #parts(parts: readonly any[], emit: Emit): void {
    for (const part of parts) {
      const text = textIn(part?.text);
      const thinking =
        textIn(part?.thinking) ||
        listIn(part?.thinking)
          .map((piece) => textIn(piece?.text))
          .join("");
      if (thinking !== "") this.#message?.add("thinking", thinking);
      this.#thought(thinking, emit);
      this.#text(text, emit);
    }
  }

  /** In a whole message every entry is a call of its own. */
  #toolCalls(pieces: readonly any[], emit: Emit, isWhole: boolean): void {
    let position = 0;
    for (const piece of pieces) {
      const index = isWhole ? position++ : piece?.index;
      if (piece) this.#piece(index, textIn(piece.id), piece.function ?? piece.custom, piece, emit);
    }
  }

  #piece(index: unknown, id: string, called: any, raw: any, emit: Emit): void {
    const name = textIn(called?.name);
    const delta = jsonText(called?.arguments ?? called?.input);
    const call = this.#calls.at(index, id, name, delta, emit);
    this.#hasBegun = true;
    if (this.#message) call.raw ??= raw;
    this.#calls.announce(call, id, name, emit);
    this.#calls.argue(call, delta, emit);
  }
}

export const openaiChat: Protocol = {
  name: "openai-chat",
  framing: "sse",
  matches: ({ pathname }) => /\/chat\/completions\/?$/.test(pathname),
  request: { defaults: { stream_options: { include_usage: true } } },
  createDecoder: (options) => new ChatDecoder(options?.collect ?? true),
  errorBody: openaiErrorBody,
};
