import { describe, expect, it } from "vitest";
import { ollama } from "../../src/protocol/ollama.ts";
import { callsOf, decode, lastOf, textOf, typesOf } from "./decode.ts";

const line = (message: object, more: object = {}) => ({
  model: "qwen3",
  message: { role: "assistant", content: "", ...message },
  done: false,
  ...more,
});
const end = (done_reason?: string) => line({}, { done: true, done_reason, prompt_eval_count: 18, eval_count: 64 });
const play = (...lines: unknown[]) => decode(ollama, lines);

describe("ollama", () => {
  it("turns an answer into start, reasoning, text, usage, stop and done", () => {
    const { events, output } = play(
      line({ thinking: "hm" }),
      line({ content: "Hel" }),
      line({ content: "lo" }),
      end("stop"),
    );
    expect(typesOf(events)).toEqual(["start", "reasoning", "text", "text", "usage", "stop", "done"]);
    expect(events[0]).toEqual({ type: "start", id: null, model: "qwen3" });
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "stop", rawStopReason: "stop" });
    expect(lastOf(events, "usage")?.usage).toEqual({
      inputTokens: 18,
      outputTokens: 64,
      cachedInputTokens: null,
      reasoningTokens: null,
    });
    expect(output).toEqual([{ role: "assistant", content: "Hello", thinking: "hm" }]);
  });

  it("reads what the last line says before it ends", () => {
    expect(typesOf(play(line({ content: "whole" }, { done: true, done_reason: "stop" })).events)).toEqual([
      "start",
      "text",
      "stop",
      "done",
    ]);
  });

  it("reads /api/generate, too", () => {
    const { events, output } = play(
      { model: "m", response: "A", done: false },
      { response: "B", done: true, done_reason: "stop" },
    );
    expect(textOf(events)).toBe("AB");
    expect(output).toEqual([{ role: "assistant", content: "AB" }]);
  });

  it("gives calls as JSON text, and makes their stop a reason to call", () => {
    const calls = [
      { id: "call_x", function: { index: 0, name: "weather", arguments: { city: "Rome" } } },
      { function: { name: "now", arguments: {} } },
      { function: { name: "bare" } },
      { function: {} },
      null,
    ];
    const { events, output } = play(line({ tool_calls: calls }), end("stop"));
    expect(callsOf(events)).toEqual([
      { id: "call_x", name: "weather", arguments: '{"city":"Rome"}' },
      { id: "call_1", name: "now", arguments: "{}" },
      { id: "call_2", name: "bare", arguments: "{}" },
    ]);
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "tool_calls", rawStopReason: "stop" });
    expect(output).toEqual([{ role: "assistant", content: "", tool_calls: calls.slice(0, 3) }]);
  });

  it.each([
    ["length", "length"],
    ["load", null],
  ])("knows the reason %s as %s", (raw, stopReason) => {
    expect(lastOf(play(end(raw)).events, "stop")?.stopReason).toBe(stopReason);
  });

  it("ends without a reason where there is none, and not before done", () => {
    expect(typesOf(play(end()).events)).toEqual(["start", "usage", "done"]);
    expect(typesOf(play(line({ content: "a" }, { done_reason: "stop" })).events)).toEqual(["start", "text"]);
  });

  it("recognises an error line", () => {
    const { events } = play(line({ content: "a" }), { error: "model runner has stopped" });
    expect(lastOf(events, "error")).toMatchObject({ message: "model runner has stopped" });
  });

  it("says nothing for what is empty, and survives fields of the wrong type", () => {
    expect(
      play(null, 4, {}, { message: null }, { message: { content: 4, tool_calls: {} }, done: "true" }).events,
    ).toEqual([]);
    expect(play({}).output).toEqual([]);
  });

  it("keeps nothing if nothing is collected", () => {
    const lines = [line({ content: "a", thinking: "b", tool_calls: [{ function: { name: "f" } }] })];
    expect(decode(ollama, lines, { collect: false, end: false }).output).toEqual([]);
  });

  it("knows its paths, and writes its errors as Ollama does", () => {
    const isOurs = (path: string) => ollama.matches?.(new URL(path, "http://localhost:11434"));
    expect([isOurs("/api/chat"), isOurs("/api/generate"), isOurs("/api/embed")]).toEqual([true, true, false]);
    expect(ollama.errorBody?.({ message: "no" } as any)).toEqual({ error: "no" });
  });
});
