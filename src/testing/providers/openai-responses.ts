/** The Responses API: every event is numbered, every item is added, filled and done, the response stands whole at the end. */
import type { StopReason } from "../../protocol/protocol.ts";
import { openaiError } from "./openai-chat.ts";
import {
  type Answer,
  CREATED,
  cannotSay,
  INPUT_TOKENS,
  type Provider,
  REFUSAL,
  type ScriptedCall,
  sse,
} from "./provider.ts";
import { type Item, messageItem, reasoningItem, toolItem } from "./responses-item.ts";

const INCOMPLETE: Partial<Record<StopReason, string>> = {
  length: "max_output_tokens",
  content_filter: "content_filter",
};

const usageOf = (answer: Answer) => ({
  input_tokens: INPUT_TOKENS,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: answer.outputTokens,
  output_tokens_details: { reasoning_tokens: answer.reasoningTokens },
  total_tokens: INPUT_TOKENS + answer.outputTokens,
});

const responseOf = (answer: Answer, status: string, fields: object) => ({
  id: `resp_${answer.ordinal}`,
  object: "response",
  created_at: CREATED,
  status,
  error: null,
  incomplete_details: null,
  instructions: null,
  max_output_tokens: null,
  model: answer.model,
  output: [],
  parallel_tool_calls: true,
  previous_response_id: null,
  store: false,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  truncation: "disabled",
  usage: null,
  metadata: {},
  ...fields,
});

class ResponsesProvider implements Provider {
  readonly name = "openai-responses";
  readonly contentType = "text/event-stream; charset=utf-8";
  readonly requestIdHeader = "x-request-id";
  readonly #answer: Answer;
  readonly #output: object[] = [];
  #sequence = 0;
  #item: Item | null = null;
  #ended = false;

  constructor(answer: Answer) {
    this.#answer = answer;
  }

  open(): string[] {
    return ["created", "in_progress"].map((event) => this.#whole(`response.${event}`, "in_progress"));
  }

  text(delta: string): string[] {
    return this.#message("output_text", delta);
  }

  reasoning(delta: string): string[] {
    return this.#say("reasoning", (index) => reasoningItem(`rs_${this.#answer.ordinal}_${index}`, index), [delta]);
  }

  toolCall(call: ScriptedCall): string[] {
    const create = (index: number) => toolItem(`fc_${this.#answer.ordinal}_${index}`, index, call);
    return [...this.#close(), ...this.#say("function_call", create, call.pieces)];
  }

  stop(reason: StopReason): string[] {
    if (reason === "paused") cannotSay(this.name, `the stop reason "paused"`);
    if (reason === "refusal") return this.#message("refusal", REFUSAL);
    const why = INCOMPLETE[reason];
    return why === undefined ? [] : this.#incomplete(why);
  }

  usage(): string[] {
    return [];
  }

  done(): string[] {
    // `response.incomplete` has ended it: no success signal follows.
    if (this.#ended) return [];
    // An answer without words is still a message.
    const empty = this.#output.length === 0 && this.#item === null ? this.#message("output_text") : [];
    const usage = usageOf(this.#answer);
    return [...empty, ...this.#close(), this.#whole("response.completed", "completed", { usage })];
  }

  keepAlive(): string {
    return this.#event("keepalive");
  }

  error(code: string, message: string): string[] {
    this.#ended = true;
    const error = this.#event("error", openaiError(code, message));
    return [error, this.#whole("response.failed", "failed", { error: { code, message } })];
  }

  errorDocument(_status: number, code: string, message: string): object {
    return openaiError(code, message);
  }

  #message(kind: "output_text" | "refusal", ...deltas: string[]): string[] {
    return this.#say(kind, (index) => messageItem(`msg_${this.#answer.ordinal}_${index}`, index, kind), deltas);
  }

  #incomplete(reason: string): string[] {
    this.#ended = true;
    const details = { incomplete_details: { reason }, usage: usageOf(this.#answer) };
    return [...this.#close("incomplete"), this.#whole("response.incomplete", "incomplete", details)];
  }

  /** Deltas of the open item, if it is of that kind, else of a new one. */
  #say(kind: Item["kind"], create: (index: number) => Item, deltas: readonly string[]): string[] {
    const frames: string[] = [];
    if (this.#item?.kind !== kind) {
      frames.push(...this.#close());
      this.#item = create(this.#output.length);
      frames.push(...this.#item.added.map((event) => this.#event(...event)));
    }
    const item = this.#item;
    return [...frames, ...deltas.map((delta) => this.#event(...item.delta(delta)))];
  }

  #close(status = "completed"): string[] {
    if (this.#item === null) return [];
    const { item, events } = this.#item.done(status);
    this.#output.push(item);
    this.#item = null;
    return events.map((event) => this.#event(...event));
  }

  #whole(type: string, status: string, fields: object = {}): string {
    return this.#event(type, { response: responseOf(this.#answer, status, { output: [...this.#output], ...fields }) });
  }

  #event(type: string, fields: object = {}): string {
    return sse({ type, sequence_number: this.#sequence++, ...fields }, type);
  }
}

export const openaiResponses = (answer: Answer): Provider => new ResponsesProvider(answer);
