/** Cohere's `/v2/chat`: parts that start and end, then `message-end` with stop reason and usage, then a stray `[DONE]`. */
import type { StopReason } from "../../protocol/protocol.ts";
import {
  type Answer,
  COMMENT,
  cannotSay,
  INPUT_TOKENS,
  type Provider,
  type ScriptedCall,
  sse,
  typed,
} from "./provider.ts";

const FINISH_REASONS: Partial<Record<StopReason, string>> = {
  stop: "COMPLETE",
  stop_sequence: "STOP_SEQUENCE",
  tool_calls: "TOOL_CALL",
  length: "MAX_TOKENS",
};

type Part = "text" | "thinking" | "tool";

class CohereProvider implements Provider {
  readonly name = "cohere-v2";
  readonly contentType = "text/event-stream";
  readonly requestIdHeader = "x-request-id";
  readonly #answer: Answer;
  #finish = "COMPLETE";
  #index = -1;
  #open: Part | null = null;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  open(): string[] {
    const message = { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] };
    return [typed("message-start", { id: `msg_${this.#answer.ordinal}`, delta: { message } })];
  }

  text(text: string): string[] {
    return this.#content("text", text);
  }

  reasoning(text: string): string[] {
    return this.#content("thinking", text);
  }

  toolCall({ id, name, pieces }: ScriptedCall): string[] {
    const closed = this.#begin("tool");
    const start = { id, type: "function", function: { name, arguments: "" } };
    return [
      ...closed,
      this.#event("tool-call-start", { tool_calls: start }),
      ...pieces.map((piece) => this.#event("tool-call-delta", { tool_calls: { function: { arguments: piece } } })),
    ];
  }

  stop(reason: StopReason): string[] {
    this.#finish = FINISH_REASONS[reason] ?? cannotSay(this.name, `the stop reason "${reason}"`);
    return this.#close();
  }

  usage(): string[] {
    return [];
  }

  done(): string[] {
    const tokens = { input_tokens: INPUT_TOKENS, output_tokens: this.#answer.outputTokens };
    const usage = { billed_units: tokens, tokens };
    return [typed("message-end", { delta: { finish_reason: this.#finish, usage } }), sse("[DONE]")];
  }

  keepAlive(): string {
    return COMMENT;
  }

  error(code: string, message: string): string[] {
    return [sse({ type: "error", error: { type: code, message } }, "error")];
  }

  errorDocument(_status: number, _code: string, message: string): object {
    return { id: `msg_${this.#answer.ordinal}`, message };
  }

  #content(part: "text" | "thinking", text: string): string[] {
    const start = { content: { type: part, [part]: "" } };
    const before = this.#open === part ? [] : [...this.#begin(part), this.#event("content-start", start)];
    return [...before, this.#event("content-delta", { content: { [part]: text } })];
  }

  /** Ends the part before it. */
  #begin(part: Part): string[] {
    const closed = this.#close();
    this.#index++;
    this.#open = part;
    return closed;
  }

  #close(): string[] {
    if (this.#open === null) return [];
    const type = this.#open === "tool" ? "tool-call-end" : "content-end";
    this.#open = null;
    return [typed(type, { index: this.#index })];
  }

  #event(type: string, message: object): string {
    return typed(type, { index: this.#index, delta: { message } });
  }
}

export const cohereV2 = (answer: Answer): Provider => new CohereProvider(answer);
