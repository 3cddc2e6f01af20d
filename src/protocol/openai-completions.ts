/** OpenAI's legacy Completions API: text without messages. */
import { ChoicesDecoder } from "./choices.ts";
import { openaiErrorBody } from "./openai-error-body.ts";
import type { Emit, Protocol } from "./protocol.ts";

class CompletionsDecoder extends ChoicesDecoder {
  readonly #collect: boolean;
  #text = "";

  constructor(collect: boolean) {
    super();
    this.#collect = collect;
  }

  protected override choice({ text }: any, emit: Emit): void {
    if (typeof text !== "string" || text === "") return;
    if (this.#collect) this.#text += text;
    emit({ type: "text", text, index: 0 });
  }

  override output(): readonly object[] {
    return this.#text === "" ? [] : [{ index: 0, text: this.#text }];
  }
}

export const openaiCompletions: Protocol = {
  name: "openai-completions",
  framing: "sse",
  matches: ({ pathname }) => /\/completions\/?$/.test(pathname) && !/\/chat\/completions/.test(pathname),
  createDecoder: (options) => new CompletionsDecoder(options?.collect ?? true),
  errorBody: openaiErrorBody,
};
