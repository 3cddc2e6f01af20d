import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { choice, counts, finish, named, say, tool, usage } from "./chat-frames.ts";
import { decode, textOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiChat, frames);

describe("an openai-chat stream", () => {
  it("is start, text, usage, stop and done", () => {
    const { events, output } = play(
      { id: "c1", model: "gpt-x", ...choice({ role: "assistant", content: "Hel", refusal: null }) },
      say("lo"),
      { ...finish("stop"), usage },
      "[DONE]",
    );
    expect(events).toEqual([
      { type: "start", id: "c1", model: "gpt-x" },
      { type: "text", text: "Hel", index: 0 },
      { type: "text", text: "lo", index: 0 },
      { type: "usage", usage: counts },
      { type: "stop", stopReason: "stop", rawStopReason: "stop" },
      { type: "done" },
    ]);
    expect(output).toEqual([{ role: "assistant", content: "Hello" }]);
  });

  it("says nothing for a chunk that has only a role", () => {
    expect(
      play(choice({ role: "assistant", content: "" }), choice({}), choice(null), choice(undefined)).events,
    ).toEqual([]);
  });

  it("takes nothing that is missing or mistyped for content", () => {
    const odd = [
      null,
      1,
      '"x"',
      "[]",
      {},
      { choices: null },
      { choices: [null] },
      { choices: [1] },
      choice(7),
      say([null, 7]),
      say({ a: 1 }),
      tool(null as never),
      { usage: 7 },
    ];
    expect(play(...odd).events.filter(({ type }) => type !== "keep_alive")).toEqual([]);
  });

  it("starts once, with the first id or model that is not empty", () => {
    const { events } = play(
      { id: "", model: "", ...say("a") },
      { id: "c2", model: "m", ...say("b") },
      { id: "c3", ...say("c") },
    );
    expect(events.filter(({ type }) => type === "start")).toEqual([{ type: "start", id: "c2", model: "m" }]);
  });

  it("takes chunks without choices for keep-alives, even if they name a model", () => {
    expect(play({ id: "c1", model: "m", choices: [], prompt_filter_results: [] }).events).toEqual([
      { type: "keep_alive" },
    ]);
  });

  it("takes pings, comments and empty data for keep-alives", () => {
    expect(typesOf(play({ type: "ping" }, ["ping", {}], ["keepalive", "x"], "", "  ", ": PROCESSING").events)).toEqual(
      Array(6).fill("keep_alive"),
    );
  });

  it("reports usage that comes beside no choices", () => {
    expect(play({ choices: [], usage }).events).toEqual([{ type: "usage", usage: counts }]);
  });

  it("finds [DONE] among blanks", () => {
    expect(typesOf(play(" [DONE] ").events)).toEqual(["done"]);
  });

  it("ends with a chunk of the kind chat.completion.done, after its usage and reason", () => {
    const last = { object: "chat.completion.done", ...finish("stop"), usage };
    expect(typesOf(play(say("a"), last).events)).toEqual(["text", "usage", "stop", "done"]);
    expect(typesOf(play({ object: "chat.completion.done", choices: [] }).events)).toEqual(["done"]);
  });

  it("counts choices other than the first, and takes nothing from them", () => {
    const other = { index: 1, delta: { content: "no" }, finish_reason: "length" };
    const { events } = play({ choices: [other, { index: 0, delta: { content: "yes" } }] }, { choices: [other] });
    expect(events).toEqual([
      { type: "ignored_choice", index: 1 },
      { type: "text", text: "yes", index: 0 },
      { type: "ignored_choice", index: 1 },
    ]);
  });

  it("takes a choice without an index for the first", () => {
    expect(textOf(play({ choices: [{ delta: { content: "a" } }] }).events)).toBe("a");
  });

  it("gives out a refusal", () => {
    const { events, output } = play(
      choice({ content: null, refusal: "I can" }),
      choice({ refusal: "not" }),
      finish("stop"),
    );
    expect(events.slice(0, 2)).toEqual([
      { type: "refusal", text: "I can", index: 0 },
      { type: "refusal", text: "not", index: 0 },
    ]);
    expect(output).toEqual([{ role: "assistant", content: null, refusal: "I cannot" }]);
  });

  it("takes a message for the answer where no delta came, and not where one did", () => {
    const whole = { choices: [{ index: 0, message: { role: "assistant", content: "all" }, finish_reason: "stop" }] };
    expect(textOf(play(whole).events)).toBe("all");
    expect(textOf(play(say("a"), whole).events)).toBe("a");
  });
});

describe("openaiChat", () => {
  it.each([
    ["https://api.openai.com/v1/chat/completions", true],
    ["https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=1", true],
    ["https://host/v1/chat/completions/", true],
    ["https://host/v1/completions", false],
    ["https://host/v1/chat/completions/x", false],
  ])("matches %s: %s", (url, matches) => {
    expect(openaiChat.matches?.(new URL(url))).toBe(matches);
  });

  it("asks for usage", () => {
    expect(openaiChat.request?.defaults).toEqual({ stream_options: { include_usage: true } });
  });

  it("keeps nothing if told so", () => {
    const frames = [choice({ content: "a", reasoning: "b" }), tool({ index: 0, id: "A", ...named("f", "{}") })];
    const { events, output } = decode(openaiChat, frames, { collect: false, end: false });
    expect(events).toEqual(play(...frames).events);
    expect(output).toEqual([]);
  });

  it("words a failure as OpenAI does, without what is no plain name", () => {
    const failure = {
      message: "ours",
      reason: "timeout_first_token",
      status: 504,
      providerType: "two words",
      providerCode: null,
    } as never;
    expect(openaiChat.errorBody?.(failure)).toEqual({
      error: { message: "ours", type: "server_error", param: null, code: "timeout_first_token" },
    });
    const named = {
      message: "ours",
      reason: "provider_error",
      providerType: "rate_limit_error",
      providerCode: "rate_limit_exceeded",
    } as never;
    expect(openaiChat.errorBody?.(named)).toMatchObject({
      error: { type: "rate_limit_error", code: "rate_limit_exceeded" },
    });
    const refused = {
      message: "ours",
      reason: "refused",
      status: 403,
      providerType: null,
      providerCode: null,
    } as never;
    expect(openaiChat.errorBody?.(refused)).toMatchObject({
      error: { type: "invalid_request_error", code: "refused" },
    });
  });
});
