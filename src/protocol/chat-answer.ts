/** What the deltas of a chat stream say, and the message that they add up to. */
import { ChatMessage, LEGACY, type TextField } from "./chat-message.ts";
import { listIn, textIn } from "./fields.ts";
import type { Emit } from "./protocol.ts";
import { jsonText, ToolCalls } from "./tool-calls.ts";

export class ChatAnswer {
  readonly #calls: ToolCalls;
  readonly #message: ChatMessage | null;
  #hasBegun = false;

  constructor(collect: boolean) {
    this.#calls = new ToolCalls(collect);
    this.#message = collect ? new ChatMessage(this.#calls) : null;
  }

  toBlocks(): readonly object[] {
    return this.#message?.toBlocks() ?? [];
  }

  /**
   * Legacy completions have bare text. Some chat hosts stream the answer as one chunk with a `message`; others repeat the
   * whole beside the last delta.
   */
  add({ delta, message, text }: any, emit: Emit): void {
    if (delta) this.#add(delta, emit, false);
    else if (message && !this.#hasBegun) this.#add(message, emit, true);
    else this.#say("text", "content", text, emit);
  }

  #add(delta: any, emit: Emit, isWhole: boolean): void {
    const { content, refusal, reasoning, reasoning_content, reasoning_details, tool_calls, function_call } = delta;
    // One thought under several names is one text: the first that is not empty.
    if (reasoning) this.#say("reasoning", "reasoning", reasoning, emit);
    else if (reasoning_content) this.#say("reasoning", "reasoning_content", reasoning_content, emit);
    if (reasoning_details) this.#details(listIn(reasoning_details), !reasoning && !reasoning_content, emit);
    if (typeof content === "string") this.#say("text", "content", content, emit);
    else if (content) this.#parts(listIn(content), emit);
    if (refusal) this.#say("refusal", "refusal", refusal, emit);
    if (tool_calls) this.#toolCalls(listIn(tool_calls), emit, isWhole);
    if (function_call) this.#call(LEGACY, "", function_call, LEGACY, emit);
  }

  #say(type: "text" | "reasoning" | "refusal", field: TextField | null, text: unknown, emit: Emit): void {
    if (typeof text !== "string" || text === "") return;
    this.#hasBegun = true;
    if (field) this.#message?.add(field, text);
    emit({ type, text, index: 0 });
  }

  #details(details: readonly any[], isNews: boolean, emit: Emit): void {
    for (const detail of details) {
      if (!detail) continue;
      this.#message?.addDetail(detail);
      if (isNews) this.#say("reasoning", null, detail.text ?? detail.summary, emit);
    }
  }

  /** Mistral's reasoning models send their content in parts. */
  #parts(parts: readonly any[], emit: Emit): void {
    for (const part of parts) {
      const thinking = listIn(part?.thinking).map((piece) => textIn(piece?.text));
      const text = textIn(part?.text) || thinking.join("");
      if (text !== "") this.#message?.addPart(part.type, text);
      this.#say(part?.type === "thinking" ? "reasoning" : "text", null, text, emit);
    }
  }

  /** In a whole message every entry is a call of its own. */
  #toolCalls(pieces: readonly any[], emit: Emit, isWhole: boolean): void {
    let position = 0;
    for (const piece of pieces) {
      const index = isWhole ? position++ : piece?.index;
      if (piece) this.#call(index, textIn(piece.id), piece.function ?? piece.custom, piece, emit);
    }
  }

  #call(index: unknown, id: string, called: any, raw: any, emit: Emit): void {
    const name = textIn(called?.name);
    const delta = jsonText(called?.arguments ?? called?.input);
    const call = this.#calls.at(index, id, name, delta, emit);
    this.#hasBegun = true;
    if (this.#message) call.raw ??= raw;
    this.#calls.announce(call, id, name, emit);
    this.#calls.argue(call, delta, emit);
  }
}
