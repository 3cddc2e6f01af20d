/** Anthropic Messages: `message_start`, blocks with a `ping` after the first start, `message_delta`, `message_stop`. */
import type { StopReason } from "../../protocol/protocol.ts";
import { type Answer, INPUT_TOKENS, type Provider, sse, typed } from "./provider.ts";

const STOP_REASONS: Record<StopReason, string> = {
  stop: "end_turn",
  stop_sequence: "stop_sequence",
  tool_calls: "tool_use",
  refusal: "refusal",
  length: "max_tokens",
  // A filter that strikes after output shows as a refusal here.
  content_filter: "refusal",
  paused: "pause_turn",
};

const PING = typed("ping");

const anthropicError = (answer: Answer, code: string, message: string) => ({
  type: "error",
  error: { type: code, message },
  request_id: `req_${answer.ordinal}`,
});

const messageOf = (answer: Answer) => ({
  id: `msg_${answer.ordinal}`,
  type: "message",
  role: "assistant",
  model: answer.model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
  usage: { input_tokens: INPUT_TOKENS, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 },
});

type Block = "text" | "thinking" | "tool_use";

export function anthropicMessages(answer: Answer): Provider {
  let index = -1;
  let open: Block | null = null;
  const delta = (type: string, fields: object) => typed("content_block_delta", { index, delta: { type, ...fields } });
  const close = (): string[] => {
    if (open === null) return [];
    const signature = open === "thinking" ? [delta("signature_delta", { signature: "c2lnbmF0dXJl" })] : [];
    open = null;
    return [...signature, typed("content_block_stop", { index })];
  };
  const begin = (type: Block, fields: object): string[] => {
    const closed = close();
    open = type;
    const start = typed("content_block_start", { index: ++index, content_block: { type, ...fields } });
    return [...closed, start, ...(index === 0 ? [PING] : [])];
  };
  return {
    name: "anthropic-messages",
    contentType: "text/event-stream; charset=utf-8",
    requestIdHeader: "request-id",
    open: () => [typed("message_start", { message: messageOf(answer) })],
    text: (text) => [...(open === "text" ? [] : begin("text", { text: "" })), delta("text_delta", { text })],
    reasoning: (thinking) => [
      ...(open === "thinking" ? [] : begin("thinking", { thinking: "", signature: "" })),
      delta("thinking_delta", { thinking }),
    ],
    toolCall: ({ id, name, pieces }) => [
      ...begin("tool_use", { id, name, input: {} }),
      ...["", ...pieces].map((piece) => delta("input_json_delta", { partial_json: piece })),
    ],
    stop(reason) {
      const stop = { stop_reason: STOP_REASONS[reason], stop_sequence: reason === "stop_sequence" ? "END" : null };
      return [...close(), typed("message_delta", { delta: stop, usage: { output_tokens: answer.outputTokens } })];
    },
    usage: () => [],
    done: () => [typed("message_stop")],
    keepAlive: () => PING,
    error: (code, message) => [sse(anthropicError(answer, code, message), "error")],
    errorDocument: (_status, code, message) => anthropicError(answer, code, message),
  };
}
