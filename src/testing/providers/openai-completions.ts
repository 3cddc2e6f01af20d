/** The older text completions: text chunks, a finish chunk, a usage chunk, `[DONE]`. No tools, no reasoning. */
import { DONE, FINISH_REASONS, openaiError, openaiUsage } from "./openai-chat.ts";
import { type Answer, COMMENT, CREATED, cannotSay, type Provider, sse } from "./provider.ts";

export function openaiCompletions(answer: Answer): Provider {
  const name = "openai-completions";
  const chunk = (fields: object) =>
    sse({ id: `cmpl-${answer.ordinal}`, object: "text_completion", created: CREATED, ...fields, model: answer.model });
  const choice = (text: string, finish: string | null = null) =>
    chunk({ choices: [{ text, index: 0, logprobs: null, finish_reason: finish }] });
  return {
    name,
    contentType: "text/event-stream; charset=utf-8",
    requestIdHeader: "x-request-id",
    open: () => [],
    text: (text) => [choice(text)],
    reasoning: () => cannotSay(name, "reasoning"),
    toolCall: () => cannotSay(name, "a tool call"),
    stop: (reason) => [choice("", FINISH_REASONS[reason] ?? cannotSay(name, `the stop reason "${reason}"`))],
    usage: () => [chunk({ choices: [], usage: openaiUsage(answer) })],
    done: () => [DONE],
    keepAlive: () => COMMENT,
    error: (code, message) => [sse(openaiError(code, message))],
    errorDocument: (_status, code, message) => openaiError(code, message),
  };
}
