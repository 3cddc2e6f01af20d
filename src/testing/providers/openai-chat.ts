/** Chat Completions as OpenAI streams them: a role chunk, deltas, a finish chunk, a usage chunk, `[DONE]`. */
import type { StopReason } from "../../protocol/protocol.ts";
import { type Answer, COMMENT, CREATED, cannotSay, INPUT_TOKENS, type Provider, REFUSAL, sse } from "./provider.ts";

/** The API has one word for a natural end, a stop sequence and a refusal. */
export const FINISH_REASONS: Partial<Record<StopReason, string>> = {
  stop: "stop",
  stop_sequence: "stop",
  refusal: "stop",
  tool_calls: "tool_calls",
  length: "length",
  content_filter: "content_filter",
};

export const DONE = sse("[DONE]");

export const openaiError = (code: string, message: string) => ({ error: { message, type: code, param: null, code } });

export const openaiUsage = (answer: Answer) => ({
  prompt_tokens: INPUT_TOKENS,
  completion_tokens: answer.outputTokens,
  total_tokens: INPUT_TOKENS + answer.outputTokens,
  prompt_tokens_details: { cached_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: answer.reasoningTokens },
});

export function openaiChat(answer: Answer): Provider {
  const name = "openai-chat";
  let calls = 0;
  const chunk = (fields: object) =>
    sse({
      id: `chatcmpl-${answer.ordinal}`,
      object: "chat.completion.chunk",
      created: CREATED,
      model: answer.model,
      service_tier: "default",
      system_fingerprint: null,
      ...fields,
    });
  const delta = (content: object, finish: string | null = null) =>
    chunk({ choices: [{ index: 0, delta: content, logprobs: null, finish_reason: finish }], usage: null });
  return {
    name,
    contentType: "text/event-stream; charset=utf-8",
    requestIdHeader: "x-request-id",
    open: () => [delta({ role: "assistant", content: "", refusal: null })],
    text: (content) => [delta({ content })],
    reasoning: (text) => [delta({ reasoning_content: text })],
    toolCall(call) {
      const index = calls++;
      const start = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
      return [
        delta({ tool_calls: [start] }),
        ...call.pieces.map((piece) => delta({ tool_calls: [{ index, function: { arguments: piece } }] })),
      ];
    },
    stop(reason) {
      const finish = FINISH_REASONS[reason] ?? cannotSay(name, `the stop reason "${reason}"`);
      return [...(reason === "refusal" ? [delta({ refusal: REFUSAL })] : []), delta({}, finish)];
    },
    usage: () => [chunk({ choices: [], usage: openaiUsage(answer) })],
    done: () => [DONE],
    keepAlive: () => COMMENT,
    error: (code, message) => [sse(openaiError(code, message))],
    errorDocument: (_status, code, message) => openaiError(code, message),
  };
}
