import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../src/protocol/anthropic-messages.ts";
import { callsOf, decode, decodeDocument, lastOf, textOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(anthropicMessages, frames);
const start = (message: object = {}) => ({
  type: "message_start",
  message: { id: "msg_1", model: "claude-x", content: [], usage: { input_tokens: 10, output_tokens: 1 }, ...message },
});
const open = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
const delta = (index: number, delta: object) => ({ type: "content_block_delta", index, delta });
const text = (index: number, text: string) => delta(index, { type: "text_delta", text });
const json = (index: number, partial_json: string) => delta(index, { type: "input_json_delta", partial_json });
const close = (index: number) => ({ type: "content_block_stop", index });
const stop = (stop_reason: string | null, usage: object = { output_tokens: 7 }) => ({
  type: "message_delta",
  delta: { stop_reason },
  usage,
});
const end = { type: "message_stop" };

describe("anthropic-messages", () => {
  it("turns an answer into start, text, usage, stop and done", () => {
    const { events, output } = play(
      start(),
      open(0, { type: "text", text: "" }),
      text(0, "Hel"),
      text(0, "lo"),
      close(0),
      stop("end_turn"),
      end,
    );
    expect(typesOf(events)).toEqual(["start", "usage", "text", "text", "usage", "stop", "done"]);
    expect(events[0]).toEqual({ type: "start", id: "msg_1", model: "claude-x" });
    expect(events[2]).toEqual({ type: "text", text: "Hel", index: 0 });
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "stop", rawStopReason: "end_turn" });
    expect(output).toEqual([{ type: "text", text: "Hello" }]);
  });

  it("reads the type from the data, and from the event line where the data has none", () => {
    const bare = play(["", start()], ["", open(0, { type: "text", text: "" })], ["", text(0, "a")]);
    const { type, ...rest } = text(0, "a");
    expect(textOf(bare.events)).toBe("a");
    expect(textOf(play(start(), open(0, { type: "text" }), [type, rest]).events)).toBe("a");
  });

  it("takes a second message_start for two answers spliced together", () => {
    const { events } = play(start(), start());
    expect(typesOf(events)).toEqual(["start", "usage", "malformed"]);
  });

  it("counts pings as liveness and nothing more, with or without an event line", () => {
    expect(typesOf(play({ type: "ping" }).events)).toEqual(["keep_alive"]);
    expect(typesOf(play(["ping", { type: "ping" }]).events)).toEqual(["keep_alive"]);
    expect(typesOf(play("", ": waiting").events)).toEqual(["keep_alive", "keep_alive"]);
  });

  it("says nothing for what is empty, opaque or unknown", () => {
    const { events } = play(
      open(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "" }),
      delta(0, { type: "signature_delta", signature: "c2ln" }),
      open(1, { type: "redacted_thinking", data: "b3BhcXVl" }),
      open(2, { type: "text", text: "" }),
      text(2, ""),
      delta(2, { type: "a_delta_of_tomorrow", value: 1 }),
      open(3, { type: "a_block_of_tomorrow" }),
      { type: "an_event_of_tomorrow" },
      json(99, "{}"),
      "[DONE]",
      null,
      5,
    );
    expect(events).toEqual([]);
  });

  it("survives fields of the wrong type", () => {
    const { events } = play(
      { type: "message_start", message: 3 },
      { type: "content_block_start", index: "__proto__", content_block: null },
      { type: "content_block_delta", index: "__proto__", delta: { type: "text_delta", text: { a: 1 } } },
      { type: "content_block_delta" },
      { type: "message_delta", delta: null, usage: [] },
      open(4_294_967_294, { type: "text", text: 7 }),
      text(4_294_967_294, "still"),
    );
    expect(textOf(events)).toBe("still");
    expect(({} as any).text).toBeUndefined();
  });

  it("reports thinking as reasoning, and keeps its signature for the way back", () => {
    const { events, output } = play(
      open(0, { type: "thinking", thinking: "", signature: "" }),
      delta(0, { type: "thinking_delta", thinking: "let me " }),
      delta(0, { type: "thinking_delta", thinking: "see" }),
      delta(0, { type: "signature_delta", signature: "c2ln" }),
      open(1, { type: "redacted_thinking", data: "b3BhcXVl" }),
      open(2, { type: "text", text: "" }),
      text(2, "Yes"),
    );
    expect(textOf(events, "reasoning")).toBe("let me see");
    expect(textOf(events)).toBe("Yes");
    expect(output).toEqual([
      { type: "thinking", thinking: "let me see", signature: "c2ln" },
      { type: "redacted_thinking", data: "b3BhcXVl" },
      { type: "text", text: "Yes" },
    ]);
  });

  it("keeps citations and compactions with their blocks", () => {
    const { output } = play(
      open(0, { type: "compaction", content: null }),
      delta(0, { type: "compaction_delta", content: "So far: ", encrypted_content: "eA==" }),
      delta(0, { type: "compaction_delta", content: "nothing." }),
      open(1, { type: "text", text: "", citations: [] }),
      text(1, "cited"),
      delta(1, { type: "citations_delta", citation: { url: "a" } }),
      delta(1, { type: "citations_delta", citation: { url: "b" } }),
    );
    expect(output).toEqual([
      { type: "compaction", content: "So far: nothing.", encrypted_content: "eA==" },
      { type: "text", text: "cited", citations: [{ url: "a" }, { url: "b" }] },
    ]);
  });

  it("leaves the provider's own objects as they came", () => {
    const block = { type: "text", text: "" };
    const decoder = anthropicMessages.createDecoder();
    const frames = [open(0, block), text(0, "grown")];
    for (const frame of frames) decoder.frame({ event: "", data: "{}", json: () => frame }, () => {});
    expect(block.text).toBe("");
  });

  describe("tools", () => {
    const call = { type: "tool_use", id: "toolu_1", name: "weather", input: {} };

    it("announces a call at its block and adds its input as it comes", () => {
      const { events, output } = play(
        open(1, call),
        json(1, ""),
        json(1, '{"city":'),
        json(1, '"Rome"}'),
        close(1),
        stop("tool_use"),
        end,
      );
      expect(typesOf(events)).toEqual(["tool_call", "tool_arguments", "tool_arguments", "usage", "stop", "done"]);
      expect(callsOf(events)).toEqual([{ id: "toolu_1", name: "weather", arguments: '{"city":"Rome"}' }]);
      expect(lastOf(events, "stop")?.stopReason).toBe("tool_calls");
      expect(output).toEqual([{ ...call, input: { city: "Rome" } }]);
    });

    it("leaves the arguments of a tool without parameters empty", () => {
      const { events, output } = play(open(0, call), json(0, ""), close(0));
      expect(callsOf(events)[0]?.arguments).toBe("");
      expect(output).toEqual([call]);
    });

    it("takes an input that came whole with its block as one delta", () => {
      const { events, output } = play(open(0, { ...call, input: { city: "Rome" } }), close(0));
      expect(callsOf(events)[0]?.arguments).toBe('{"city":"Rome"}');
      expect(output).toEqual([{ ...call, input: { city: "Rome" } }]);
    });

    it("does not double an input that came whole and is streamed, too", () => {
      const { events, output } = play(open(0, { ...call, input: { city: "Rome" } }), json(0, '{"city":"Rome"}'));
      expect(callsOf(events)[0]?.arguments).toBe('{"city":"Rome"}');
      expect(output).toEqual([{ ...call, input: { city: "Rome" } }]);
    });

    it("finds calls that the message began with", () => {
      const { events } = play(
        start({ content: [{ ...call, input: { city: "Rome" } }] }),
        open(0, { type: "text", text: "" }),
        text(0, "a"),
      );
      expect(callsOf(events)).toEqual([{ id: "toolu_1", name: "weather", arguments: '{"city":"Rome"}' }]);
      expect(lastOf(events, "text")?.index).toBe(1);
    });

    it("keeps two calls apart even if their blocks have one index", () => {
      const { events } = play(
        open(0, call),
        json(0, '{"a":1}'),
        close(0),
        open(0, { ...call, id: "toolu_2" }),
        json(0, '{"b":2}'),
      );
      expect(callsOf(events).map((call) => call.arguments)).toEqual(['{"a":1}', '{"b":2}']);
    });

    it("numbers calls without an id, and announces none without a name", () => {
      const { events } = play(
        open(0, { ...call, id: undefined }),
        open(1, { ...call, name: "" }),
        json(1, "{}"),
        open(2, { ...call, id: "" }),
      );
      expect(callsOf(events).map((call) => call.id)).toEqual(["call_0", "call_1"]);
      expect(typesOf(events)).toEqual(["tool_call", "tool_call"]);
    });

    it("reports the provider's own tools as such: no call, no arguments", () => {
      const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} };
      const remote = { type: "mcp_tool_use", id: "mcptoolu_1", name: "echo", server_name: "e", input: {} };
      const result = {
        type: "web_search_tool_result",
        tool_use_id: "srvtoolu_1",
        content: [{ encrypted_content: "eA==" }],
      };
      const { events, output } = play(
        open(0, search),
        json(0, '{"query":"x"}'),
        open(1, result),
        open(2, remote),
        json(2, "{}"),
      );
      expect(events).toEqual([
        { type: "provider_tool", id: "srvtoolu_1", name: "web_search" },
        { type: "provider_tool", id: "mcptoolu_1", name: "echo" },
      ]);
      expect(output).toEqual([{ ...search, input: { query: "x" } }, result, remote]);
    });

    it("gives back an object where the input was cut", () => {
      const { output } = play(open(0, call), json(0, '{"city":"Ro'));
      expect(output).toEqual([call]);
    });
  });

  it("replaces usage field by field, and counts what came from the cache as input", () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 100, cache_creation_input_tokens: 5, output_tokens: 1 };
    const { events } = play(
      start({ usage }),
      stop("end_turn", { output_tokens: 42, output_tokens_details: { thinking_tokens: 30 } }),
    );
    expect(events[1]).toEqual({
      type: "usage",
      usage: { inputTokens: 115, outputTokens: 1, cachedInputTokens: 100, reasoningTokens: null },
    });
    expect(lastOf(events, "usage")?.usage).toEqual({
      inputTokens: 115,
      outputTokens: 42,
      cachedInputTokens: 100,
      reasoningTokens: 30,
    });
    expect(lastOf(play(start({ usage: null }), stop("end_turn", {})).events, "usage")?.usage.inputTokens).toBeNull();
  });

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop_sequence"],
    ["tool_use", "tool_calls"],
    ["refusal", "refusal"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["pause_turn", "paused"],
    ["compaction", "paused"],
    ["a_reason_of_tomorrow", null],
    ["constructor", null],
  ])("knows the stop reason %s as %s", (rawStopReason, stopReason) => {
    expect(lastOf(play(stop(rawStopReason)).events, "stop")).toEqual({ type: "stop", stopReason, rawStopReason });
  });

  it("does not take message_delta, or its absence, for the end", () => {
    expect(lastOf(play(start(), stop("end_turn")).events, "done")).toBeUndefined();
    expect(lastOf(play(start(), stop(null)).events, "stop")).toBeUndefined();
    expect(decode(anthropicMessages, [start()], { collect: true, end: true }).events).not.toContainEqual({
      type: "done",
    });
  });

  it.each([
    ["with an event line", "error"],
    ["without one", ""],
  ])("recognises an error event %s", (_, event) => {
    const { events } = play([event, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } }]);
    expect(events).toEqual([{ type: "error", code: null, providerType: "overloaded_error", message: "Overloaded" }]);
  });

  it("reads an answer that comes as one document", () => {
    const { events, output } = decodeDocument(anthropicMessages, {
      id: "msg_1",
      type: "message",
      model: "claude-x",
      content: [
        { type: "thinking", thinking: "hm", signature: "c2ln" },
        { type: "text", text: "Hi" },
        { type: "tool_use", id: "t", name: "now", input: {} },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 3, output_tokens: 4 },
    });
    expect(typesOf(events)).toEqual(["start", "reasoning", "text", "tool_call", "usage", "stop", "done"]);
    expect(callsOf(events)[0]?.arguments).toBe("");
    expect(output).toHaveLength(3);
  });

  it("reads an error that comes as one document", () => {
    const { events } = decodeDocument(anthropicMessages, {
      type: "error",
      error: { type: "api_error", message: "no" },
    });
    expect(typesOf(events)).toEqual(["error"]);
  });

  it("keeps nothing if nothing is collected", () => {
    const frames = [
      start(),
      open(0, { type: "text", text: "" }),
      text(0, "Hello"),
      json(0, "{}"),
      delta(0, { type: "signature_delta", signature: "x" }),
    ];
    const { events, output } = decode(anthropicMessages, frames, { collect: false, end: false });
    expect(textOf(events)).toBe("Hello");
    expect(output).toEqual([]);
  });

  it("ends a stream that opens blocks without end", () => {
    const frames = Array.from({ length: 16_385 }, (_, index) => open(index, { type: "text", text: "" }));
    expect(typesOf(play(...frames).events)).toEqual(["malformed"]);
  });

  it.each([
    ["https://api.anthropic.com/v1/messages", true],
    ["https://gateway.example/anthropic/v1/messages?beta=true", true],
    ["https://x.googleapis.com/v1/projects/p/locations/l/publishers/anthropic/models/claude:streamRawPredict", true],
    ["https://api.anthropic.com/v1/messages/count_tokens", false],
    ["https://api.anthropic.com/v1/messages/batches", false],
    ["https://api.openai.com/v1/chat/completions", false],
  ])("knows its path: %s", (url, isOurs) => {
    expect(anthropicMessages.matches?.(new URL(url))).toBe(isOurs);
  });

  it("says where the key goes and which version it speaks", () => {
    expect(anthropicMessages.authorize?.("k")).toEqual({ "x-api-key": "k" });
    expect(anthropicMessages.request?.headers).toEqual({ "anthropic-version": "2023-06-01" });
  });

  it.each([
    [503, null, "overloaded_error"],
    [429, null, "rate_limit_error"],
    [502, null, "api_error"],
    [null, null, "api_error"],
    [429, "billing_error", "billing_error"],
    [429, "no name: a sentence", "rate_limit_error"],
  ])("writes an error of status %s and type %s as %s", (status, providerType, type) => {
    const failure = { status, providerType, message: "the provider failed" } as any;
    expect(anthropicMessages.errorBody?.(failure)).toEqual({
      type: "error",
      error: { type, message: "the provider failed" },
    });
  });
});
