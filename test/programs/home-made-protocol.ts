/** A protocol of one's own: one JSON object per line, `{"t":"text"}` … `{"end":"stop","tokens":12}`. */
import { createClient, defineProtocol } from "ttft";
import { testProtocol } from "ttft/testing";

export const homemade = defineProtocol({
  name: "homemade",
  framing: "ndjson",
  createDecoder: () => ({
    frame(frame, emit) {
      const line = frame.json();
      if (line.ping) return emit({ type: "keep_alive" });
      if (line.error) return emit({ type: "error", code: line.code, message: line.error });
      if (line.t) emit({ type: "text", text: line.t, index: 0 });
      if (line.tool) {
        emit({ type: "tool_call", index: line.n, id: line.id, name: line.tool });
        emit({ type: "tool_arguments", index: line.n, delta: JSON.stringify(line.args) });
      }
      if (line.end) {
        emit({
          type: "usage",
          usage: { inputTokens: null, outputTokens: line.tokens, cachedInputTokens: null, reasoningTokens: null },
        });
        emit({ type: "stop", stopReason: line.end === "stop" ? "stop" : "length", rawStopReason: line.end });
        emit({ type: "done" });
      }
    },
  }),
});
await testProtocol(homemade, [{ name: "hello", bytes: '{"t":"hi"}\n{"end":"stop","tokens":1}\n', text: "hi" }]);
createClient({ endpoints: [{ protocol: homemade, url: "http://localhost:9000/chat" }] });
