import { describe, expect, it } from "vitest";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import { callsOf, decode, textOf, typesOf } from "./decode.ts";
import { added, argument, call, completed, created, done, event, message, text } from "./responses-frames.ts";

const play = (...frames: unknown[]) => decode(openaiResponses, frames);

describe("an openai-responses stream", () => {
  it("is start, text, usage, stop and done", () => {
    const { events, output } = play(
      created,
      event("in_progress", created),
      added(0, { ...message(), status: "in_progress" }),
      text("Hel"),
      text("lo"),
      done(0, message("Hello")),
      completed([message("Hello")]),
    );
    expect(events).toEqual([
      { type: "start", id: "r1", model: "gpt-x" },
      { type: "text", text: "Hel", index: 0 },
      { type: "text", text: "lo", index: 0 },
      { type: "usage", usage: { inputTokens: 5, outputTokens: 2, cachedInputTokens: 1, reasoningTokens: 1 } },
      { type: "stop", stopReason: "stop", rawStopReason: "completed" },
      { type: "done" },
    ]);
    expect(output).toEqual([message("Hello")]);
  });

  it("reads the type from the event line where the data has none", () => {
    const { type, ...rest } = text("a");
    expect(textOf(play([type, rest]).events)).toBe("a");
  });

  it("starts with whatever event first names the response", () => {
    const { events } = play(event("in_progress"), event("queued", { response: { id: "r2", model: "m" } }), created);
    expect(events).toEqual([{ type: "start", id: "r2", model: "m" }]);
  });

  it("ignores [DONE] and events that it does not know", () => {
    expect(
      play(
        "[DONE]",
        event("rate_limits.updated"),
        event("output_text.annotation.added"),
        { type: "surprise" },
        "null",
        "7",
      ).events,
    ).toEqual([]);
  });

  it("takes keepalive events for keep-alives", () => {
    expect(typesOf(play({ type: "keepalive", sequence_number: 3 }, ["ping", {}], ": x").events)).toEqual([
      "keep_alive",
      "keep_alive",
      "keep_alive",
    ]);
  });

  it("tells refusal and both kinds of reasoning apart", () => {
    const { events, output } = play(
      event("reasoning_summary_text.delta", { output_index: 0, summary_index: 0, delta: "s" }),
      event("reasoning_text.delta", { output_index: 0, content_index: 0, delta: "r" }),
      event("refusal.delta", { output_index: 1, content_index: 0, delta: "no" }),
    );
    expect(events).toEqual([
      { type: "reasoning", text: "s", index: 0 },
      { type: "reasoning", text: "r", index: 0 },
      { type: "refusal", text: "no", index: 1 },
    ]);
    expect(output).toEqual([
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "s" }],
        content: [{ type: "reasoning_text", text: "r" }],
      },
      { type: "message", role: "assistant", content: [{ type: "refusal", refusal: "no" }] },
    ]);
  });

  it("takes nothing that is missing or mistyped for content", () => {
    const odd = [
      text(7 as never),
      text(""),
      added(0, null as never),
      event("output_item.added"),
      done(1, { content: [null, 7, { type: "output_audio" }] }),
      event("output_text.done"),
      completed([null, 7, {}]),
    ];
    expect(typesOf(play(...odd).events).filter((type) => type !== "usage")).toEqual(["start", "stop", "done"]);
  });

  it("knows an item by its place when its id changes from event to event", () => {
    const item = (id: string) => ({ ...message("ab"), id });
    const { events, output } = play(
      added(0, { ...item("1"), content: [] }),
      { ...text("a"), item_id: "2" },
      { ...text("b"), item_id: "3" },
      done(0, item("4")),
      completed([item("5")]),
    );
    expect(textOf(events)).toBe("ab");
    expect(output).toEqual([item("4")]);
  });

  it("knows an item by its id where it has no place", () => {
    const { events } = play(
      { type: "response.output_item.added", item: call() },
      { type: "response.function_call_arguments.delta", item_id: "f1", delta: "{}" },
    );
    expect(callsOf(events)).toEqual([{ id: "k1", name: "one", arguments: "{}" }]);
  });

  it("bounds the items and parts that a server may name", () => {
    expect(typesOf(play(...Array.from({ length: 17_000 }, (_, index) => text("", index))).events)).toContain(
      "malformed",
    );
    expect(typesOf(play(...Array.from({ length: 17_000 }, (_, index) => text("", 0, index))).events)).toContain(
      "malformed",
    );
  });
});

describe("openaiResponses", () => {
  it.each([
    ["https://api.openai.com/v1/responses", true],
    ["https://x.openai.azure.com/openai/responses?api-version=1", true],
    ["https://host/v1/responses/r1", false],
    ["https://host/v1/chat/completions", false],
  ])("matches %s: %s", (url, matches) => {
    expect(openaiResponses.matches?.(new URL(url))).toBe(matches);
  });

  it("keeps nothing if told so", () => {
    const frames = [
      added(0, message()),
      text("a"),
      added(1, call()),
      argument("{}", 1),
      done(0, message("a")),
      completed([message("a"), call({ arguments: "{}" })]),
    ];
    const { events, output } = decode(openaiResponses, frames, { collect: false, end: false });
    expect(events).toEqual(play(...frames).events);
    expect(output).toEqual([]);
  });
});
