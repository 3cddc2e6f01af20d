import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { callsOf, decode, decodeDocument, lastOf, textOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiChat, frames);
const choice = (delta: unknown, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
const say = (content: unknown) => choice({ content });
const finish = (finish_reason: string, more: object = {}) => choice({}, { finish_reason, ...more });
const tool = (...tool_calls: object[]) => choice({ tool_calls });
const named = (name: string, json = "") => ({ function: { name, arguments: json } });
const args = (json: string) => ({ function: { arguments: json } });
const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
const counts = { inputTokens: 9, outputTokens: 4, cachedInputTokens: null, reasoningTokens: null };

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

describe("stop reasons of openai-chat", () => {
  const meant: [string, string | null][] = [
    ["stop", "stop"],
    ["eos", "stop"],
    ["tool_calls", "tool_calls"],
    ["function_call", "tool_calls"],
    ["length", "length"],
    ["content_filter", "content_filter"],
    ["end_turn", null],
    ["error", null],
    ["function_call_filter: MALFORMED_FUNCTION_CALL", null],
    ["constructor", null],
  ];
  it.each(meant)("%s means %s", (rawStopReason, stopReason) => {
    expect(play(finish(rawStopReason)).events).toEqual([{ type: "stop", stopReason, rawStopReason }]);
  });

  it.each(["length", "max_output_tokens", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded"])(
    "native_finish_reason %s is length",
    (native_finish_reason) => {
      const { events } = play(finish("tool_calls", { native_finish_reason }));
      expect(events).toEqual([{ type: "stop", stopReason: "length", rawStopReason: "tool_calls" }]);
    },
  );

  it.each(["content_filter", "SAFETY", "RECITATION"])(
    "native_finish_reason %s is content_filter",
    (native_finish_reason) => {
      expect(lastOf(play(finish("stop", { native_finish_reason })).events, "stop")?.stopReason).toBe("content_filter");
    },
  );

  it.each(["completed", "end_turn", "tool_use", "refusal", "anything", null])(
    "native_finish_reason %s changes nothing",
    (native_finish_reason) => {
      expect(lastOf(play(finish("stop", { native_finish_reason })).events, "stop")?.stopReason).toBe("stop");
    },
  );

  it("are said once where a host repeats them, and a cut is not taken back", () => {
    const { events } = play(
      finish("tool_calls", { native_finish_reason: "length" }),
      finish("tool_calls"),
      finish("tool_calls", { native_finish_reason: "length" }),
    );
    expect(events).toEqual([{ type: "stop", stopReason: "length", rawStopReason: "tool_calls" }]);
  });

  it("come after the usage of the same chunk, wherever it stands", () => {
    expect(typesOf(play({ ...finish("stop"), x_groq: { usage } }).events)).toEqual(["usage", "stop"]);
  });
});

describe("tool calls of openai-chat", () => {
  it("are routed by index", () => {
    const { events, output } = play(
      tool({ index: 0, id: "A", ...named("a") }),
      tool({ index: 1, id: "B", ...named("b") }),
      tool({ index: 0, ...args('{"t":') }, { index: 1, ...args("{}") }),
      tool({ index: 0, ...args("1}") }),
    );
    expect(callsOf(events)).toEqual([
      { id: "A", name: "a", arguments: '{"t":1}' },
      { id: "B", name: "b", arguments: "{}" },
    ]);
    expect(output).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "A", type: "function", function: { name: "a", arguments: '{"t":1}' } },
          { id: "B", type: "function", function: { name: "b", arguments: "{}" } },
        ],
      },
    ]);
  });

  it("are opened by a new id even at a known index, and continued by the same one", () => {
    const { events } = play(
      tool({ index: 0, id: "A", ...named("a") }),
      tool({ index: 0, id: "A", ...named("a", "{}") }),
      tool({ index: 0, id: "B", ...named("a") }),
      tool({ index: 0, id: "", ...args("[]") }),
    );
    expect(callsOf(events)).toEqual([
      { id: "A", name: "a", arguments: "{}" },
      { id: "B", name: "a", arguments: "[]" },
    ]);
    expect(events[0]).toMatchObject({ index: 0 });
    expect(lastOf(events, "tool_call")).toMatchObject({ index: 1 });
  });

  it("keep arguments that come under an id of their own, without a name", () => {
    const { events } = play(
      tool({ index: 0, id: "A", ...named("a") }),
      tool({ index: 0, id: "A1", ...args('{"x"') }),
      tool({ index: 0, id: "A2", ...args(":1}") }),
    );
    expect(callsOf(events)).toEqual([{ id: "A", name: "a", arguments: '{"x":1}' }]);
  });

  it("without an index are opened by a new id and else continue the last one", () => {
    const { events } = play(
      tool({ id: "w1", ...named("weather", '{"city":') }),
      tool(args('"Paris"}')),
      tool({ id: "t1", ...named("time") }),
      tool({ id: "w1", ...args(" ") }),
      tool({ index: null, ...args("{}") }),
    );
    expect(callsOf(events)).toEqual([
      { id: "w1", name: "weather", arguments: '{"city":"Paris"} ' },
      { id: "t1", name: "time", arguments: "{}" },
    ]);
  });

  it("without index and id are opened by another name", () => {
    const { events } = play(tool(named("a", "{}"), named("b", "[]")));
    expect(callsOf(events)).toEqual([
      { id: "call_0", name: "a", arguments: "{}" },
      { id: "call_1", name: "b", arguments: "[]" },
    ]);
  });

  it("get an id of ours where they have none", () => {
    const { events, output } = play(tool({ index: 5, ...named("a", "{}") }));
    expect(events[0]).toEqual({ type: "tool_call", index: 0, id: "call_0", name: "a" });
    expect(output).toMatchObject([{ tool_calls: [{ id: "call_0" }] }]);
  });

  it("are announced once their name is known, with what came before", () => {
    const { events } = play(
      tool({ index: 0, id: "A", ...args('{"a"') }),
      tool({ index: 0, ...args(":") }),
      tool({ index: 0, ...named("f", "1}") }),
    );
    expect(events).toEqual([
      { type: "tool_call", index: 0, id: "A", name: "f" },
      { type: "tool_arguments", index: 0, delta: '{"a":' },
      { type: "tool_arguments", index: 0, delta: "1}" },
    ]);
  });

  it("take an id that comes after the first piece and before the name", () => {
    expect(
      callsOf(play(tool({ index: 0, ...args("{") }), tool({ index: 0, id: "A", ...named("f", "}") })).events),
    ).toEqual([{ id: "A", name: "f", arguments: "{}" }]);
  });

  it("may have arguments as an object", () => {
    expect(
      callsOf(play(tool({ index: 0, id: "A", function: { name: "f", arguments: { x: 1 } } })).events)[0]?.arguments,
    ).toBe('{"x":1}');
  });

  it("may be custom ones", () => {
    const { events, output } = play(
      tool({ index: 0, id: "A", type: "custom", custom: { name: "sql", input: "SELECT" } }),
      tool({ index: 0, custom: { input: " 1" } }),
    );
    expect(callsOf(events)).toEqual([{ id: "A", name: "sql", arguments: "SELECT 1" }]);
    expect(output).toMatchObject([
      { tool_calls: [{ id: "A", type: "custom", custom: { name: "sql", input: "SELECT 1" } }] },
    ]);
  });

  it("keep what Gemini signs them with", () => {
    const extra_content = { google: { thought_signature: "s" } };
    expect(play(tool({ index: 0, id: "A", extra_content, ...named("f", "{}") })).output).toMatchObject([
      { tool_calls: [{ extra_content }] },
    ]);
  });

  it("may come as function_call", () => {
    const { events, output } = play(
      choice({ function_call: { name: "f", arguments: "" } }),
      choice({ function_call: { arguments: "{}" } }),
      finish("function_call"),
    );
    expect(callsOf(events)).toEqual([{ id: "call_0", name: "f", arguments: "{}" }]);
    expect(output).toEqual([{ role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } }]);
  });

  it("that never get a name are bounded in number and in size", () => {
    const many = play(...Array.from({ length: 2_100 }, (_, index) => tool({ index, id: `${index}` })));
    expect(typesOf(many.events)).toContain("malformed");
    const long = play(...Array.from({ length: 3 }, () => tool({ index: 0, id: "A", ...args("x".repeat(600_000)) })));
    expect(typesOf(long.events)).toEqual(["malformed", "malformed"]);
  });
});

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

describe("a failure of openai-chat", () => {
  it("ends the answer, with the stop reason and the usage of its frame and nothing else", () => {
    const { events } = play(say("a"), {
      ...choice({ content: "b" }, { finish_reason: "error" }),
      usage,
      error: { code: 502, message: "m" },
    });
    expect(events.slice(1)).toEqual([
      { type: "error", code: "502", providerType: null, message: "m" },
      { type: "usage", usage: counts },
      { type: "stop", stopReason: null, rawStopReason: "error" },
    ]);
  });

  it("may be a frame named error that is no JSON", () => {
    expect(play(["error", "out of memory"]).events).toEqual([
      { type: "error", code: null, providerType: null, message: "out of memory" },
    ]);
  });

  it("may be the whole document", () => {
    expect(
      decodeDocument(openaiChat, { error: { type: "invalid_request_error", code: "bad_model", message: "no" } }).events,
    ).toEqual([{ type: "error", code: "bad_model", providerType: "invalid_request_error", message: "no" }]);
  });
});

describe("an openai-chat document", () => {
  it("is the answer at once", () => {
    const message = {
      role: "assistant",
      content: "Hi",
      reasoning_content: "hm",
      tool_calls: [named("a", "{}"), named("a", "[]")],
    };
    const { events, output } = decodeDocument(openaiChat, {
      id: "x",
      model: "m",
      choices: [{ index: 0, finish_reason: "stop", message }],
      usage,
    });
    expect(typesOf(events)).toEqual([
      "start",
      "reasoning",
      "text",
      "tool_call",
      "tool_arguments",
      "tool_call",
      "tool_arguments",
      "usage",
      "stop",
      "done",
    ]);
    expect(callsOf(events).map((call) => call.arguments)).toEqual(["{}", "[]"]);
    expect(output).toMatchObject([{ content: "Hi", reasoning_content: "hm" }]);
  });

  it.each([null, 7, [], {}, { choices: "x" }])("that is no answer says nothing: %j", (json) => {
    expect(decodeDocument(openaiChat, json).events).toEqual([]);
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
  });
});
