/** Ollama's `/api/chat`: one JSON object per line; stop reason, usage and success signal share the last one. */
import type { StopReason } from "../../protocol/protocol.ts";
import { type Answer, argumentsObject, cannotSay, INPUT_TOKENS, type Provider } from "./provider.ts";

const DONE_REASONS: Partial<Record<StopReason, string>> = {
  stop: "stop",
  stop_sequence: "stop",
  tool_calls: "stop",
  length: "length",
};

const line = (data: object) => `${JSON.stringify(data)}\n`;

export function ollama(answer: Answer): Provider {
  const name = "ollama";
  let reason = "stop";
  const message = (fields: object, rest: object = { done: false }) =>
    line({
      model: answer.model,
      created_at: "2025-01-01T00:00:00.000000Z",
      message: { role: "assistant", content: "", ...fields },
      ...rest,
    });
  return {
    name,
    contentType: "application/x-ndjson",
    requestIdHeader: "x-request-id",
    open: () => [],
    text: (content) => [message({ content })],
    reasoning: (thinking) => [message({ thinking })],
    toolCall: (call) => [
      message({ tool_calls: [{ id: call.id, function: { name: call.name, arguments: argumentsObject(name, call) } }] }),
    ],
    stop(stop) {
      reason = DONE_REASONS[stop] ?? cannotSay(name, `the stop reason "${stop}"`);
      return [];
    },
    usage: () => [],
    done: () => [
      message(
        {},
        {
          done: true,
          done_reason: reason,
          total_duration: 1_000_000,
          load_duration: 1_000,
          prompt_eval_count: INPUT_TOKENS,
          prompt_eval_duration: 1_000,
          eval_count: answer.outputTokens,
          eval_duration: 1_000,
        },
      ),
    ],
    // NDJSON has no comments: an empty line is all that a proxy can send.
    keepAlive: () => "\n",
    error: (code, message) => [line({ error: message === code ? code : `${code}: ${message}` })],
    errorDocument: (_status, _code, message) => ({ error: message }),
  };
}
