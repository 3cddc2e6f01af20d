import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { choice, counts, say, usage } from "./chat-frames.ts";
import { decode, lastOf, textOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiChat, frames);

describe("reasoning of openai-chat", () => {
  it.each([
    [{ reasoning: "r", reasoning_content: "r", reasoning_details: [{ type: "reasoning.text", text: "r" }] }, "r"],
    [{ reasoning: "", reasoning_content: "c" }, "c"],
    [
      { content: null, reasoning_content: null, reasoning: null, reasoning_details: [{ text: "a" }, { summary: "b" }] },
      "ab",
    ],
  ])("is one text where a delta gives it twice: %j", (delta, text) => {
    expect(textOf(play(choice(delta)).events, "reasoning")).toBe(text);
  });

  it("that is encrypted says nothing, and is kept", () => {
    const detail = { type: "reasoning.encrypted", data: "xx", id: "rs_1", index: 0 };
    const { events, output } = play(choice({ content: "", reasoning_details: [detail] }));
    expect(events).toEqual([]);
    expect(output).toEqual([{ role: "assistant", content: null, reasoning_details: [detail] }]);
    expect(play(choice({ reasoning_details: [detail, detail] })).output).toMatchObject([
      { reasoning_details: [detail, detail] },
    ]);
  });

  it("goes back under the name it had, with details joined and signed", () => {
    const text = (text: string) =>
      choice({ reasoning: text, reasoning_details: [{ type: "reasoning.text", text, index: 0 }] });
    const raw = text("Let ");
    const { output } = play(
      raw,
      text("me"),
      choice({ reasoning_details: [{ type: "reasoning.text", signature: "sig", index: 0 }] }),
      say("ok"),
    );
    expect(output).toEqual([
      {
        role: "assistant",
        content: "ok",
        reasoning: "Let me",
        reasoning_details: [{ type: "reasoning.text", text: "Let me", index: 0, signature: "sig" }],
      },
    ]);
    expect(raw).toEqual(text("Let "));
  });

  it("comes before the text of its delta", () => {
    expect(typesOf(play(choice({ content: "a", reasoning_content: "b" })).events)).toEqual(["reasoning", "text"]);
  });

  it("may stand in the content, as with Mistral", () => {
    const think = (text: string) => say([{ type: "thinking", thinking: [{ type: "text", text }] }]);
    const { events, output } = play(think("a"), think("b"), say([{ type: "text", text: "c" }]), say("d"));
    expect(textOf(events, "reasoning")).toBe("ab");
    expect(textOf(events)).toBe("cd");
    expect(output).toEqual([
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "ab" }] },
          { type: "text", text: "c" },
          { type: "text", text: "d" },
        ],
      },
    ]);
  });
});

describe("usage of openai-chat", () => {
  it("has cached and reasoning tokens as parts", () => {
    const details = { prompt_tokens_details: { cached_tokens: 3 }, completion_tokens_details: { reasoning_tokens: 2 } };
    expect(lastOf(play({ choices: [], usage: { ...usage, ...details } }).events, "usage")?.usage).toEqual({
      ...counts,
      cachedInputTokens: 3,
      reasoningTokens: 2,
    });
  });

  it("counts reasoning into the output where a host counts it beside", () => {
    const beside = {
      prompt_tokens: 12,
      completion_tokens: 2,
      total_tokens: 354,
      completion_tokens_details: { reasoning_tokens: 340 },
    };
    expect(lastOf(play({ choices: [], usage: beside }).events, "usage")?.usage).toMatchObject({
      inputTokens: 12,
      outputTokens: 342,
      reasoningTokens: 340,
    });
  });

  it("takes only counts for counts", () => {
    expect(
      lastOf(play({ choices: [], usage: { prompt_tokens: 3, completion_tokens: "4" } }).events, "usage")?.usage,
    ).toEqual({ ...counts, inputTokens: 3, outputTokens: null });
    expect(play({ choices: [], usage: { prompt_tokens: -1 } }).events).toEqual([]);
  });
});
