/** Gemini's `streamGenerateContent?alt=sse`: CRLF, no event names, usage on every frame, no success signal but the last `finishReason`. */
import { statusOf } from "../../policy/provider-codes.ts";
import type { StopReason } from "../../protocol/protocol.ts";
import { type Answer, argumentsObject, cannotSay, INPUT_TOKENS, type Provider } from "./provider.ts";

const FINISH_REASONS: Partial<Record<StopReason, string>> = {
  stop: "STOP",
  stop_sequence: "STOP",
  tool_calls: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY",
};

/** The HTTP codes that stand beside Google's status names. */
const CODES: Readonly<Record<string, number>> = {
  INVALID_ARGUMENT: 400,
  UNAUTHENTICATED: 401,
  PERMISSION_DENIED: 403,
  NOT_FOUND: 404,
  RESOURCE_EXHAUSTED: 429,
  UNAVAILABLE: 503,
  DEADLINE_EXCEEDED: 504,
};

const crlf = (data: object) => `data: ${JSON.stringify(data)}\r\n\r\n`;

function geminiError(code: string, message: string, httpStatus?: number) {
  const status = code.toUpperCase();
  const meant =
    CODES[status] ?? statusOf("provider_error", { providerCode: null, providerType: code, httpStatus: null });
  return { error: { code: httpStatus ?? meant, message, status } };
}

export function gemini(answer: Answer): Provider {
  const name = "gemini";
  const frame = (fields: object) =>
    crlf({
      ...fields,
      usageMetadata: {
        promptTokenCount: INPUT_TOKENS,
        candidatesTokenCount: answer.outputTokens - answer.reasoningTokens,
        thoughtsTokenCount: answer.reasoningTokens,
        totalTokenCount: INPUT_TOKENS + answer.outputTokens,
      },
      modelVersion: answer.model,
      responseId: `resp_${answer.ordinal}`,
    });
  const part = (content: object, end: object = {}) =>
    frame({ candidates: [{ content: { parts: [content], role: "model" }, ...end, index: 0 }] });
  return {
    name,
    contentType: "text/event-stream",
    requestIdHeader: "x-request-id",
    open: () => [],
    text: (text) => [part({ text })],
    reasoning: (text) => [part({ text, thought: true })],
    toolCall: (call) => [part({ functionCall: { id: call.id, name: call.name, args: argumentsObject(name, call) } })],
    stop(reason) {
      if (reason === "refusal") return [frame({ promptFeedback: { blockReason: "SAFETY" } })];
      const finishReason = FINISH_REASONS[reason] ?? cannotSay(name, `the stop reason "${reason}"`);
      return [part({ text: "" }, { finishReason })];
    },
    usage: () => [],
    done: () => [],
    keepAlive: () => ": keep-alive\r\n\r\n",
    error: (code, message) => [crlf(geminiError(code, message))],
    errorDocument: (status, code, message) => geminiError(code, message, status),
  };
}
