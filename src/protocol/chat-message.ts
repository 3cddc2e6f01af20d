/** The assistant message that a chat stream adds up to, in the provider's own fields, so that it can be sent back. */
import { GrowingText } from "../base/growing-text.ts";
import { textIn } from "./fields.ts";
import { type Call, idOf, type ToolCalls } from "./tool-calls.ts";

export type TextField = "content" | "refusal" | "reasoning" | "reasoning_content";

export class ChatMessage {
  readonly #calls: ToolCalls;
  readonly #texts: { [Field in TextField]?: GrowingText } = {};
  readonly #details: any[] = [];
  /** The content, where the provider sends it in parts. */
  readonly #parts: any[] = [];

  constructor(calls: ToolCalls) {
    this.#calls = calls;
  }

  add(field: TextField, text: string): void {
    this.#texts[field] ??= new GrowingText();
    this.#texts[field].add(text);
  }

  addPart(type: string, text: string): void {
    join(this.#parts, { type, text });
  }

  /** OpenRouter's reasoning, opaque parts included. */
  addDetail(detail: any): void {
    join(this.#details, detail);
  }

  toBlocks(): readonly object[] {
    const named = this.#calls.list.filter((call) => call.name !== "");
    const message: Record<string, unknown> = { role: "assistant", content: null };
    for (const [field, text] of Object.entries(this.#texts)) message[field] = `${text}`;
    if (this.#parts.length > 0) message.content = this.#contentParts();
    if (this.#details.length > 0) message.reasoning_details = this.#details;
    const toolCalls = named.filter((call) => call.raw !== LEGACY).map(toolCall);
    if (toolCalls.length > 0) message.tool_calls = toolCalls;
    for (const call of named) if (call.raw === LEGACY) message.function_call = functionOf(call);
    return Object.keys(message).length > 2 || message.content ? [message] : [];
  }

  /** Mistral's models think in parts, and answer in a string. */
  #contentParts(): object[] {
    const text = this.#texts.content?.toString();
    return [...this.#parts, ...(text ? [{ type: "text", text }] : [])].map(({ type, text }) =>
      type === "thinking" ? { type, thinking: [{ type: "text", text }] } : { type, text },
    );
  }
}

/** Adds a piece to a list that grows: to its last entry where it continues that one. Events keep what they were given. */
function join(list: any[], piece: any): void {
  const last = list[list.length - 1];
  if (last?.type !== piece.type || last?.index !== piece.index || piece.data || !last) {
    list.push({ ...piece });
    return;
  }
  for (const field of ["text", "summary", "signature"]) {
    if (textIn(piece[field])) last[field] = textIn(last[field]) + piece[field];
  }
}

/** What marks a call that came as `function_call`. */
export const LEGACY = {};

const functionOf = ({ name, kept }: Call): object => ({ name, arguments: `${kept}` });

/** `extra_content` is where Gemini's compatible API puts its thought signatures. */
function toolCall(call: Call): object {
  const { type, extra_content } = call.raw;
  const custom = { type, custom: { name: call.name, input: `${call.kept}` } };
  const detail = type === "custom" ? custom : { type: "function", function: functionOf(call) };
  return { id: idOf(call), ...detail, ...(extra_content && { extra_content }) };
}
