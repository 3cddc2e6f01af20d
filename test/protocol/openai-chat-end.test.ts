import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { choice, counts, finish, named, say, usage } from "./chat-frames.ts";
import { callsOf, decode, decodeDocument, lastOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiChat, frames);

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
