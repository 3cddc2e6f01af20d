import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { args, choice, finish, named, tool } from "./chat-frames.ts";
import { callsOf, decode, lastOf, typesOf } from "./decode.ts";

const play = (...frames: unknown[]) => decode(openaiChat, frames);

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

  it("are opened by a new id that comes alone, before its name", () => {
    const { events } = play(
      tool({ index: 0, id: "A", ...named("a", "{}") }),
      tool({ index: 0, id: "B" }),
      tool({ index: 0, ...named("b", "[]") }),
    );
    expect(callsOf(events)).toEqual([
      { id: "A", name: "a", arguments: "{}" },
      { id: "B", name: "b", arguments: "[]" },
    ]);
  });

  it("keep arguments that come under an id of their own, without a name", () => {
    const { events } = play(
      tool({ index: 0, id: "A", ...named("a") }),
      tool({ index: 0, id: "A1", ...args('{"x"') }),
      tool({ index: 0, id: "A2", ...args(":1}") }),
    );
    expect(callsOf(events)).toEqual([{ id: "A", name: "a", arguments: '{"x":1}' }]);
  });

  it("that have no name yet are opened by a new id, and count from where they are announced", () => {
    const { events } = play(
      tool({ index: 0, id: "A", ...args("{") }, { index: 0, id: "B", ...named("b", "[]") }),
      tool(
        { index: 1, id: "C", ...args("{") },
        { index: 1, id: "D", ...args("1") },
        { index: 1, id: "D", ...named("d") },
      ),
    );
    expect(events).toEqual([
      { type: "tool_call", index: 0, id: "B", name: "b" },
      { type: "tool_arguments", index: 0, delta: "[]" },
      { type: "tool_call", index: 1, id: "D", name: "d" },
      { type: "tool_arguments", index: 1, delta: "1" },
    ]);
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
