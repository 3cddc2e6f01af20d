/** The Responses API: every event is numbered, every item is added, filled and done, the response stands whole at the end. */
import type { StopReason } from "../../protocol/protocol.ts";
import { openaiError } from "./openai-chat.ts";
import { type Answer, CREATED, cannotSay, INPUT_TOKENS, type Provider, REFUSAL, sse } from "./provider.ts";
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
  output: [] as object[],
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

export function openaiResponses(answer: Answer): Provider {
  const name = "openai-responses";
  const output: object[] = [];
  let sequence = 0;
  let item: Item | null = null;
  let ended = false;
  const event = (type: string, fields: object = {}) => sse({ type, sequence_number: sequence++, ...fields }, type);
  const whole = (type: string, status: string, fields: object = {}) =>
    event(type, { response: responseOf(answer, status, { output: [...output], ...fields }) });
  const close = (status = "completed"): string[] => {
    if (item === null) return [];
    const closing = item.done(status);
    output.push(closing.item);
    item = null;
    return closing.events.map(([type, fields]) => event(type, fields));
  };
  /** A delta of the open item, if it is of that kind, else of a new one. */
  const say = (kind: Item["kind"], create: (index: number) => Item, ...deltas: string[]): string[] => {
    const frames: string[] = [];
    if (item?.kind !== kind || kind === "function_call") {
      frames.push(...close());
      item = create(output.length);
      frames.push(...item.added.map(([type, fields]) => event(type, fields)));
    }
    const open = item as Item;
    return [...frames, ...deltas.map((delta) => event(...open.delta(delta)))];
  };
  const text = (kind: "output_text" | "refusal", ...deltas: string[]) =>
    say(kind, (index) => messageItem(`msg_${answer.ordinal}_${index}`, index, kind), ...deltas);
  const incomplete = (reason: string): string[] => {
    ended = true;
    const details = { incomplete_details: { reason }, usage: usageOf(answer) };
    return [...close("incomplete"), whole("response.incomplete", "incomplete", details)];
  };
  return {
    name,
    contentType: "text/event-stream; charset=utf-8",
    requestIdHeader: "x-request-id",
    open: () => [whole("response.created", "in_progress"), whole("response.in_progress", "in_progress")],
    text: (delta) => text("output_text", delta),
    reasoning: (delta) => say("reasoning", (index) => reasoningItem(`rs_${answer.ordinal}_${index}`, index), delta),
    toolCall: (call) =>
      say("function_call", (index) => toolItem(`fc_${answer.ordinal}_${index}`, index, call), ...call.pieces),
    stop(reason) {
      if (reason === "paused") cannotSay(name, `the stop reason "paused"`);
      const why = INCOMPLETE[reason];
      if (why !== undefined) return incomplete(why);
      return reason === "refusal" ? text("refusal", REFUSAL) : [];
    },
    usage: () => [],
    done() {
      // `response.incomplete` has ended it: no success signal follows.
      if (ended) return [];
      // An answer without words is still a message.
      const empty = output.length === 0 && item === null ? text("output_text") : [];
      return [...empty, ...close(), whole("response.completed", "completed", { usage: usageOf(answer) })];
    },
    keepAlive: () => event("keepalive"),
    error(code, message) {
      ended = true;
      const error = event("error", { error: openaiError(code, message).error });
      return [error, whole("response.failed", "failed", { error: { code, message } })];
    },
    errorDocument: (_status, code, message) => openaiError(code, message),
  };
}
