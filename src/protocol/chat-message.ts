/** The assistant message that a chat stream adds up to, in the provider's own fields, so that it can be sent back. */
import { type Call, idOf, type ToolCalls } from "./tool-calls.ts";

interface Run {
  readonly kind: "text" | "thinking";
  text: string;
}

export class ChatMessage {
  refusal = "";
  reasoning = "";
  /** The field that the provider gives its reasoning in. */
  reasoningField = "";
  readonly #content: Run[] = [];
  readonly #details: any[] = [];
  readonly #calls: ToolCalls;

  constructor(calls: ToolCalls) {
    this.#calls = calls;
  }

  add(kind: Run["kind"], text: string): void {
    const last = this.#content[this.#content.length - 1];
    if (last?.kind === kind) last.text += text;
    else this.#content.push({ kind, text });
  }

  /** OpenRouter streams each detail in pieces, and wants it back whole and in its place; a signature comes last. */
  addDetail(piece: any): void {
    const last = this.#details[this.#details.length - 1];
    if (last?.type !== piece?.type || last?.index !== piece?.index) {
      this.#details.push({ ...piece });
      return;
    }
    for (const field of ["text", "summary", "data"]) {
      if (piece[field]) last[field] = (last[field] ?? "") + piece[field];
    }
    last.signature ??= piece.signature;
  }

  toBlocks(): readonly object[] {
    const fields: Record<string, unknown> = {};
    if (this.reasoning !== "") fields[this.reasoningField] = this.reasoning;
    if (this.#details.length > 0) fields.reasoning_details = this.#details;
    if (this.refusal !== "") fields.refusal = this.refusal;
    const named = this.#calls.list.filter((call) => call.name !== "");
    const toolCalls = named.filter((call) => call.raw !== LEGACY).map(toolCall);
    if (toolCalls.length > 0) fields.tool_calls = toolCalls;
    for (const call of named) if (call.raw === LEGACY) fields.function_call = functionOf(call);
    const content = this.#contentField();
    return content === null && Object.keys(fields).length === 0 ? [] : [{ role: "assistant", content, ...fields }];
  }

  /** A string, unless thinking stands in the content itself, as with Mistral. */
  #contentField(): unknown {
    const [first, second] = this.#content;
    if (!first) return null;
    if (first.kind === "text" && !second) return first.text;
    return this.#content.map(({ kind, text }) =>
      kind === "text" ? { type: kind, text } : { type: kind, thinking: [{ type: "text", text }] },
    );
  }
}

/** What marks a call that came as `function_call`. */
export const LEGACY = {};

const functionOf = ({ name, kept }: Call): object => ({ name, arguments: kept });

/** `extra_content` is where Gemini's compatible API puts its thought signatures. */
function toolCall(call: Call): object {
  const { type, extra_content } = call.raw;
  const custom = { type, custom: { name: call.name, input: call.kept } };
  const detail = type === "custom" ? custom : { type: "function", function: functionOf(call) };
  return { id: idOf(call), ...detail, ...(extra_content && { extra_content }) };
}
