import { describe, expect, it } from "vitest";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import { callsOf, decode, decodeDocument, lastOf, textOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiResponses, frames);
const event = (type: string, more: object = {}) => ({ type: `response.${type}`, ...more });
const created = event("created", {
  response: { id: "r1", model: "gpt-x", status: "in_progress", output: [], error: null },
});
const added = (output_index: number, item: object) => event("output_item.added", { output_index, item });
const done = (output_index: number, item: object) => event("output_item.done", { output_index, item });
const text = (delta: string, output_index = 0, content_index = 0) =>
  event("output_text.delta", { output_index, content_index, delta });
const usage = {
  input_tokens: 5,
  output_tokens: 2,
  total_tokens: 7,
  input_tokens_details: { cached_tokens: 1 },
  output_tokens_details: { reasoning_tokens: 1 },
};
const completed = (output: unknown[] = [], more: object = {}) =>
  event("completed", { response: { id: "r1", status: "completed", output, usage, error: null, ...more } });
const message = (...texts: string[]) => ({
  type: "message",
  id: "m1",
  role: "assistant",
  status: "completed",
  content: texts.map((text) => ({ type: "output_text", text, annotations: [] })),
});
const call = (more: object = {}) => ({
  type: "function_call",
  id: "f1",
  call_id: "k1",
  name: "one",
  arguments: "",
  ...more,
});
const argument = (delta: string, output_index = 0) =>
  event("function_call_arguments.delta", { output_index, item_id: "f1", delta });

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

describe("what comes only whole from openai-responses is one delta", () => {
  const places: [string, unknown[]][] = [
    ["output_text.done", [event("output_text.done", { output_index: 0, content_index: 0, text: "all" })]],
    ["output_item.done", [done(0, message("all"))]],
    [
      "all of them",
      [
        event("output_text.done", { output_index: 0, content_index: 0, text: "all" }),
        done(0, message("all")),
        completed([message("all")]),
      ],
    ],
    ["response.completed", [created, completed([message("all")])]],
    ["response.completed after an empty item", [added(0, message()), completed([message("all")])]],
    [
      "response.incomplete",
      [
        event("incomplete", {
          response: { output: [message("all")], incomplete_details: { reason: "max_output_tokens" } },
        }),
      ],
    ],
  ];
  it.each(places)("%s", (_, frames) => {
    expect(play(...frames).events.filter(({ type }) => type === "text")).toEqual([
      { type: "text", text: "all", index: 0 },
    ]);
  });

  it("also in several parts", () => {
    expect(textOf(play(done(0, message("a", "b"))).events)).toBe("ab");
  });

  it("but not what has come before, wherever it stands in the final output", () => {
    const { events } = play(text("a", 1), completed([{ type: "reasoning", summary: [] }, message("a")]));
    expect(textOf(events)).toBe("a");
    expect(textOf(play(text("a", 4), done(4, message("a")), completed([message("a")])).events)).toBe("a");
    expect(textOf(play(added(4, message()), text("a", 4), completed([{ ...message("a"), id: "other" }])).events)).toBe(
      "a",
    );
  });

  it("for refusals, reasoning and summaries as well", () => {
    const refusal = { type: "message", content: [{ type: "refusal", refusal: "no" }] };
    const thought = {
      type: "reasoning",
      content: [{ type: "reasoning_text", text: "r" }],
      summary: [{ type: "summary_text", text: "s" }],
    };
    const summary = { type: "reasoning", content: [], summary: [{ type: "summary_text", text: "s" }] };
    expect(play(done(0, refusal)).events).toEqual([{ type: "refusal", text: "no", index: 0 }]);
    expect(play(event("refusal.done", { output_index: 0, content_index: 0, refusal: "no" })).events).toEqual([
      { type: "refusal", text: "no", index: 0 },
    ]);
    expect(textOf(play(done(0, thought)).events, "reasoning")).toBe("r");
    expect(textOf(play(done(0, summary)).events, "reasoning")).toBe("s");
    expect(
      textOf(
        play(event("reasoning_summary_text.delta", { output_index: 0, summary_index: 0, delta: "s" }), done(0, thought))
          .events,
        "reasoning",
      ),
    ).toBe("s");
    expect(
      textOf(
        play(event("reasoning_summary_text.done", { output_index: 0, summary_index: 0, text: "s" }), done(0, summary))
          .events,
        "reasoning",
      ),
    ).toBe("s");
  });

  it("for arguments", () => {
    const end = event("function_call_arguments.done", { output_index: 0, arguments: '{"a":1}' });
    for (const frames of [
      [end],
      [done(0, call({ arguments: '{"a":1}' }))],
      [end, done(0, call({ arguments: '{"a":1}' })), completed([call({ arguments: '{"a":1}' })])],
      [argument('{"a"'), argument(":1}"), end],
    ]) {
      expect(callsOf(play(added(0, call()), ...frames).events)).toEqual([
        { id: "k1", name: "one", arguments: '{"a":1}' },
      ]);
    }
    expect(callsOf(play(completed([call({ arguments: "{}" })])).events)).toEqual([
      { id: "k1", name: "one", arguments: "{}" },
    ]);
  });

  it("for a call that stands beside others", () => {
    const { events } = play(
      added(0, call()),
      argument("{}"),
      completed([call({ arguments: "{}" }), call({ call_id: "k2", name: "two", arguments: "[]" })]),
    );
    expect(callsOf(events)).toEqual([
      { id: "k1", name: "one", arguments: "{}" },
      { id: "k2", name: "two", arguments: "[]" },
    ]);
  });
});

describe("calls in openai-responses", () => {
  it("grow side by side, and name the stop reason", () => {
    const { events } = play(
      added(0, call()),
      added(1, call({ id: "f2", call_id: "k2", name: "two" })),
      argument("{", 0),
      argument("[", 1),
      argument("}", 0),
      argument("]", 1),
      completed(),
    );
    expect(callsOf(events)).toEqual([
      { id: "k1", name: "one", arguments: "{}" },
      { id: "k2", name: "two", arguments: "[]" },
    ]);
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "tool_calls", rawStopReason: "completed" });
  });

  it("may be custom ones", () => {
    const custom = { type: "custom_tool_call", id: "c1", call_id: "k1", name: "sql", input: "" };
    const piece = (delta: string) => event("custom_tool_call_input.delta", { output_index: 0, delta });
    const { events, output } = play(added(0, custom), piece("SELECT"), piece(" 1"));
    expect(callsOf(events)).toEqual([{ id: "k1", name: "sql", arguments: "SELECT 1" }]);
    expect(output).toEqual([{ ...custom, input: "SELECT 1" }]);
    expect(
      callsOf(play(added(0, custom), event("custom_tool_call_input.done", { output_index: 0, input: "x" })).events)[0]
        ?.arguments,
    ).toBe("x");
  });

  const others: [string, object, string][] = [
    ["local_shell_call", { action: { command: ["ls"] } }, '{"command":["ls"]}'],
    ["shell_call", { action: { commands: ["ls"] }, environment: { type: "local" } }, '{"commands":["ls"]}'],
    ["apply_patch_call", { operation: { type: "delete_file" } }, '{"type":"delete_file"}'],
    ["computer_call", { action: { type: "click" } }, '{"type":"click"}'],
    ["tool_search_call", { execution: "client", arguments: { queries: ["q"] } }, '{"queries":["q"]}'],
    ["mcp_approval_request", { name: "rm", arguments: '{"a":1}', server_label: "s" }, '{"a":1}'],
  ];
  it.each(others)("that only the client can answer are its own: %s", (type, more, json) => {
    const item = { type, id: "x1", ...(type === "mcp_approval_request" ? {} : { call_id: "k1" }), ...more };
    const id = type === "mcp_approval_request" ? "x1" : "k1";
    const { events, output } = play(
      added(0, { ...item, arguments: type === "tool_search_call" ? {} : undefined }),
      done(0, item),
      completed([item]),
    );
    expect(callsOf(events)).toEqual([{ id, name: type, arguments: json }]);
    expect(typesOf(events)).not.toContain("provider_tool");
    expect(lastOf(events, "stop")?.stopReason).toBe("tool_calls");
    expect(output).toEqual([item]);
  });

  const provided: { type: string; [key: string]: unknown }[] = [
    { type: "web_search_call" },
    { type: "file_search_call" },
    { type: "code_interpreter_call" },
    { type: "image_generation_call" },
    { type: "mcp_call", name: "lookup", arguments: "{}" },
    { type: "tool_search_call", execution: "server", arguments: {} },
    { type: "shell_call", environment: { type: "container_reference" } },
    { type: "invented_call" },
  ];
  it.each(provided)("that the provider runs are announced once, and are no reason to stop: %j", (item) => {
    const whole = { id: "p1", ...item };
    const { events, output } = play(added(0, whole), done(0, whole), completed([whole]));
    expect(events.filter(({ type }) => type === "provider_tool")).toEqual([
      { type: "provider_tool", id: "p1", name: whole.type },
    ]);
    expect(callsOf(events)).toEqual([]);
    expect(lastOf(events, "stop")?.stopReason).toBe("stop");
    expect(output).toEqual([whole]);
  });

  it("that the provider answers itself are no reason to stop", () => {
    const shell = { type: "shell_call", id: "s1", call_id: "k1", action: {} };
    const result = { type: "shell_call_output", id: "o1", call_id: "k1", output: [] };
    const { events } = play(
      added(0, shell),
      done(0, shell),
      added(1, result),
      done(1, result),
      completed([shell, result]),
    );
    expect(events.filter(({ type }) => type === "tool_answered")).toEqual([{ type: "tool_answered", index: 0 }]);
    expect(lastOf(events, "stop")?.stopReason).toBe("stop");
  });

  it("are announced once their name is known", () => {
    const { events } = play(argument('{"a"'), argument(":1}"), done(0, call({ arguments: '{"a":1}' })));
    expect(events).toEqual([
      { type: "tool_call", index: 0, id: "k1", name: "one" },
      { type: "tool_arguments", index: 0, delta: '{"a":1}' },
    ]);
  });

  it("get an id of ours where they have none", () => {
    expect(callsOf(play(added(0, { type: "function_call", name: "f" })).events)).toEqual([
      { id: "call_0", name: "f", arguments: "" },
    ]);
  });

  it("that were cut stand in the output as far as they came", () => {
    expect(play(added(0, call()), argument('{"a"')).output).toEqual([call({ arguments: '{"a"' })]);
  });
});

describe("the end of an openai-responses answer", () => {
  it("is no word of the model's if nothing came and nothing is in it", () => {
    expect(typesOf(play(created, completed()).events)).toEqual(["start", "usage", "done"]);
    expect(typesOf(play(created, added(0, { type: "reasoning" }), completed()).events)).toEqual([
      "start",
      "usage",
      "stop",
      "done",
    ]);
    expect(typesOf(play(created, completed([{ type: "reasoning", summary: [] }])).events)).toEqual([
      "start",
      "usage",
      "stop",
      "done",
    ]);
  });

  const incomplete: [string | undefined, string | null, string][] = [
    ["max_output_tokens", "length", "incomplete:max_output_tokens"],
    ["content_filter", "content_filter", "incomplete:content_filter"],
    ["steered", null, "incomplete:steered"],
    [undefined, null, "incomplete"],
  ];
  it.each(incomplete)("may be incomplete because of %s", (reason, stopReason, rawStopReason) => {
    const response = { status: "incomplete", incomplete_details: reason ? { reason } : null, output: [], usage };
    expect(play(text("a"), event("incomplete", { response })).events.slice(2)).toEqual([
      { type: "stop", stopReason, rawStopReason },
      { type: "end" },
    ]);
    expect(play(text("a"), completed([], response)).events.at(-2)).toEqual({ type: "stop", stopReason, rawStopReason });
  });

  it("may be a failure, with or without words", () => {
    const failed = (error: unknown) =>
      event("failed", { response: { status: "failed", output: [message("x")], error } });
    const stop = { type: "stop", stopReason: null, rawStopReason: "failed" };
    expect(play(failed({ code: "server_error", message: "boom" })).events).toEqual([
      stop,
      { type: "error", code: "server_error", providerType: null, message: "boom" },
    ]);
    expect(play(failed(null)).events).toEqual([stop, { type: "error", code: null, providerType: null, message: "" }]);
    expect(play({ ...event("failed"), error: { code: "c", message: "top" } }).events).toEqual([
      stop,
      { type: "error", code: "c", providerType: null, message: "top" },
    ]);
    expect(play(["response.failed", "null"]).events).toEqual([
      stop,
      { type: "error", code: null, providerType: null, message: "" },
    ]);
  });

  it.each([
    [
      {
        type: "error",
        sequence_number: 2,
        error: { type: "insufficient_quota", code: "q", message: "m", param: null },
      },
      "insufficient_quota",
    ],
    [{ type: "error", sequence_number: 2, code: "q", message: "m", param: null }, null],
  ])("may be an error, nested or flat", (json, providerType) => {
    const expected = [{ type: "error", code: "q", providerType, message: "m" }];
    expect(play(json).events).toEqual(expected);
    expect(play(["error", json]).events).toEqual(expected);
  });
});

describe("an openai-responses document", () => {
  const document = (more: object) =>
    decodeDocument(openaiResponses, {
      id: "r1",
      object: "response",
      model: "m",
      status: "completed",
      output: [message("Hi"), call({ arguments: "{}" })],
      usage,
      error: null,
      ...more,
    });

  it("is the answer at once", () => {
    const { events, output } = document({});
    expect(typesOf(events)).toEqual(["start", "text", "tool_call", "tool_arguments", "usage", "stop", "done"]);
    expect(lastOf(events, "stop")?.stopReason).toBe("tool_calls");
    expect(output).toHaveLength(2);
  });

  it("has the end that its status says", () => {
    expect(
      document({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } }).events.slice(-2),
    ).toEqual([{ type: "stop", stopReason: "length", rawStopReason: "incomplete:max_output_tokens" }, { type: "end" }]);
    expect(document({ status: "failed", error: { code: "server_error", message: "m" } }).events.slice(-2)).toEqual([
      { type: "stop", stopReason: null, rawStopReason: "failed" },
      { type: "error", code: "server_error", providerType: null, message: "m" },
    ]);
    expect(document({ status: "in_progress" }).events.slice(-2)).toEqual([
      { type: "stop", stopReason: null, rawStopReason: "in_progress" },
      { type: "end" },
    ]);
  });

  it("may be an error, or nothing", () => {
    expect(decodeDocument(openaiResponses, { error: { message: "m" } }).events).toEqual([
      { type: "error", code: null, providerType: null, message: "m" },
    ]);
    for (const json of [null, 7, [], {}]) expect(decodeDocument(openaiResponses, json).events).toEqual([]);
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
