/** Cohere's `/v2/chat`: parts that start and end, then `message-end` with stop reason and usage, then a stray `[DONE]`. */
import type { StopReason } from "../../protocol/protocol.ts";
import { type Answer, COMMENT, cannotSay, INPUT_TOKENS, type Provider, sse, typed } from "./provider.ts";

const FINISH_REASONS: Partial<Record<StopReason, string>> = {
  stop: "COMPLETE",
  stop_sequence: "STOP_SEQUENCE",
  tool_calls: "TOOL_CALL",
  length: "MAX_TOKENS",
};

type Part = "text" | "thinking" | "tool";

export function cohereV2(answer: Answer): Provider {
  const name = "cohere-v2";
  let finish = "COMPLETE";
  let index = -1;
  let open: Part | null = null;
  const event = (type: string, message: object) => typed(type, { index, delta: { message } });
  const close = (): string[] => {
    if (open === null) return [];
    const type = open === "tool" ? "tool-call-end" : "content-end";
    open = null;
    return [typed(type, { index })];
  };
  const content = (part: "text" | "thinking", text: string): string[] => {
    const before: string[] = [];
    if (open !== part) {
      before.push(...close());
      index++;
      open = part;
      before.push(event("content-start", { content: { type: part, [part]: "" } }));
    }
    return [...before, event("content-delta", { content: { [part]: text } })];
  };
  return {
    name,
    contentType: "text/event-stream",
    requestIdHeader: "x-request-id",
    open: () => [
      typed("message-start", {
        id: `msg_${answer.ordinal}`,
        delta: { message: { role: "assistant", content: [], tool_plan: "", tool_calls: [], citations: [] } },
      }),
    ],
    text: (text) => content("text", text),
    reasoning: (text) => content("thinking", text),
    toolCall(call) {
      const before = close();
      index++;
      open = "tool";
      const start = { id: call.id, type: "function", function: { name: call.name, arguments: "" } };
      return [
        ...before,
        event("tool-call-start", { tool_calls: start }),
        ...call.pieces.map((piece) => event("tool-call-delta", { tool_calls: { function: { arguments: piece } } })),
      ];
    },
    stop(reason) {
      finish = FINISH_REASONS[reason] ?? cannotSay(name, `the stop reason "${reason}"`);
      return close();
    },
    usage: () => [],
    done() {
      const tokens = { input_tokens: INPUT_TOKENS, output_tokens: answer.outputTokens };
      const usage = { billed_units: tokens, tokens };
      return [typed("message-end", { delta: { finish_reason: finish, usage } }), sse("[DONE]")];
    },
    keepAlive: () => COMMENT,
    error: (code, message) => [sse({ type: "error", error: { type: code, message } }, "error")],
    errorDocument: (_status, _code, message) => ({ id: `msg_${answer.ordinal}`, message }),
  };
}
