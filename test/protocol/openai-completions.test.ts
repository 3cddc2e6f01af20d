import { describe, expect, it } from "vitest";
import { openaiCompletions } from "../../src/protocol/openai-completions.ts";
import { decode, decodeDocument, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiCompletions, frames);
const say = (text: unknown, finish_reason: string | null = null) => ({
  id: "c1",
  model: "m",
  choices: [{ index: 0, text, finish_reason }],
});

describe("openai-completions", () => {
  it("is start, text, usage, stop and done", () => {
    const { events, output } = play(
      say("Hel"),
      say("lo"),
      { ...say("", "length"), usage: { prompt_tokens: 1, completion_tokens: 2 } },
      "[DONE]",
    );
    expect(events).toEqual([
      { type: "start", id: "c1", model: "m" },
      { type: "text", text: "Hel", index: 0 },
      { type: "text", text: "lo", index: 0 },
      { type: "usage", usage: { inputTokens: 1, outputTokens: 2, cachedInputTokens: null, reasoningTokens: null } },
      { type: "stop", stopReason: "length", rawStopReason: "length" },
      { type: "done" },
    ]);
    expect(output).toEqual([{ role: "assistant", content: "Hello" }]);
  });

  it("says nothing for a foreign shape, nor for text that is none", () => {
    expect(play({ value: "x" }).events).toEqual([]);
    expect(typesOf(play(say(null), say(7)).events)).toEqual(["start"]);
  });

  it("is an answer as a document, too", () => {
    expect(typesOf(decodeDocument(openaiCompletions, say("a", "stop")).events)).toEqual([
      "start",
      "text",
      "stop",
      "done",
    ]);
  });

  it("keeps nothing if told so", () => {
    expect(decode(openaiCompletions, [say("a")], { collect: false, end: false }).output).toEqual([]);
  });

  it.each([
    ["https://host/v1/completions", true],
    ["https://host/v1/chat/completions", false],
  ])("matches %s: %s", (url, matches) => {
    expect(openaiCompletions.matches?.(new URL(url))).toBe(matches);
  });
});
