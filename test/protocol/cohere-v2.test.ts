import { describe, expect, it } from "vitest";
import { cohereV2 } from "../../src/protocol/cohere-v2.ts";
import { callsOf, decode, decodeDocument, lastOf, textOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(cohereV2, frames);
const message = (type: string, index: number, message: object) => ({ type, index, delta: { message } });
const text = (index: number, text: string) => message("content-delta", index, { content: { text } });
const thinking = (index: number, thinking: string) => message("content-delta", index, { content: { thinking } });
const plan = (tool_plan: string) => message("tool-plan-delta", 0, { tool_plan });
const call = (index: number, id: string, name: string) =>
  message("tool-call-start", index, { tool_calls: { id, type: "function", function: { name, arguments: "" } } });
const args = (index: number, text: string) =>
  message("tool-call-delta", index, { tool_calls: { function: { arguments: text } } });
const usage = {
  billed_units: { input_tokens: 1 },
  tokens: { input_tokens: 508, output_tokens: 86, reasoning_tokens: 28 },
  cached_tokens: 144,
};
const end = (finish_reason: string) => ({ type: "message-end", delta: { finish_reason, usage } });

describe("cohere-v2", () => {
  it("turns an answer into start, text, usage, stop and done, and ignores [DONE]", () => {
    const begin = { type: "message-start", id: "m1", delta: { message: { role: "assistant", content: [] } } };
    const open = message("content-start", 0, { content: { type: "text", text: "" } });
    const { events, output } = play(
      begin,
      open,
      text(0, "Hel"),
      text(0, "lo"),
      { type: "content-end", index: 0 },
      end("COMPLETE"),
      "[DONE]",
    );
    expect(typesOf(events)).toEqual(["start", "text", "text", "usage", "stop", "done"]);
    expect(events[0]).toEqual({ type: "start", id: "m1", model: null });
    expect(lastOf(events, "usage")?.usage).toEqual({
      inputTokens: 508,
      outputTokens: 86,
      cachedInputTokens: 144,
      reasoningTokens: 28,
    });
    expect(output).toEqual([{ role: "assistant", content: [{ type: "text", text: "Hello" }] }]);
  });

  it("never takes [DONE] for success", () => {
    expect(typesOf(play(text(0, "a"), "[DONE]").events)).toEqual(["text"]);
  });

  it("reports thinking and tool plans as reasoning", () => {
    const { events, output } = play(plan("I will "), plan("look"), thinking(0, "hm"), text(1, "Yes"));
    expect(textOf(events, "reasoning")).toBe("I will lookhm");
    expect(textOf(events)).toBe("Yes");
    expect(output).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm" },
          { type: "text", text: "Yes" },
        ],
        tool_plan: "I will look",
      },
    ]);
  });

  it("collects calls by their index", () => {
    const { events, output } = play(
      call(0, "a_1", "weather"),
      args(0, '{"city":'),
      call(1, "b_1", "now"),
      args(0, '"Rome"}'),
      end("TOOL_CALL"),
    );
    expect(callsOf(events)).toEqual([
      { id: "a_1", name: "weather", arguments: '{"city":"Rome"}' },
      { id: "b_1", name: "now", arguments: "" },
    ]);
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "tool_calls", rawStopReason: "TOOL_CALL" });
    expect(output).toEqual([
      {
        role: "assistant",
        tool_calls: [
          { id: "a_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
          { id: "b_1", type: "function", function: { name: "now", arguments: "{}" } },
        ],
      },
    ]);
  });

  it.each([
    ["COMPLETE", "stop"],
    ["STOP_SEQUENCE", "stop_sequence"],
    ["MAX_TOKENS", "length"],
    ["ERROR", null],
  ])("knows the finish reason %s as %s", (raw, stopReason) => {
    expect(lastOf(play(end(raw)).events, "stop")).toEqual({ type: "stop", stopReason, rawStopReason: raw });
  });

  it("keeps citations", () => {
    const { output } = play(text(0, "a"), message("citation-start", 0, { citations: { start: 0, end: 1 } }));
    expect(output).toMatchObject([{ citations: [{ start: 0, end: 1 }] }]);
  });

  it("reads an answer that comes as one document", () => {
    const { events, output } = decodeDocument(cohereV2, {
      id: "m1",
      message: {
        role: "assistant",
        tool_plan: "I will",
        content: [{ type: "text", text: "Hi" }],
        tool_calls: [{ id: "a", type: "function", function: { name: "now", arguments: "{}" } }],
        citations: [{ start: 0 }],
      },
      finish_reason: "TOOL_CALL",
      usage,
    });
    expect(typesOf(events)).toEqual([
      "start",
      "reasoning",
      "text",
      "tool_call",
      "tool_arguments",
      "usage",
      "stop",
      "done",
    ]);
    expect(output).toHaveLength(1);
  });

  it("recognises failures by their structure", () => {
    expect(typesOf(play({ error: { message: "no" } }).events)).toEqual(["error"]);
    expect(typesOf(play(["error", { message: "no" }]).events)).toEqual(["error"]);
    expect(typesOf(decodeDocument(cohereV2, { error: { message: "no" } }).events)).toEqual(["error"]);
  });

  it("says nothing for what is empty or unknown, and survives fields of the wrong type", () => {
    const { events, output } = play(
      null,
      {},
      text(0, ""),
      { type: "content-delta" },
      { type: "debug" },
      { type: "content-delta", index: "__proto__", delta: { message: { content: { text: 1 } } } },
    );
    expect(events).toEqual([]);
    expect(output).toEqual([]);
    expect(typesOf(play({ type: "message-end" }).events)).toEqual(["done"]);
  });

  it("keeps nothing if nothing is collected", () => {
    const frames = [text(0, "a"), plan("b"), call(0, "x", "f"), message("citation-start", 0, { citations: {} })];
    expect(decode(cohereV2, frames, { collect: false, end: false }).output).toEqual([]);
  });

  it("knows its path, and writes its errors as Cohere does", () => {
    expect(cohereV2.matches?.(new URL("https://api.cohere.com/v2/chat"))).toBe(true);
    expect(cohereV2.matches?.(new URL("https://api.cohere.com/v2/embed"))).toBe(false);
    expect(cohereV2.errorBody?.({ message: "no" } as any)).toEqual({ message: "no" });
  });
});
