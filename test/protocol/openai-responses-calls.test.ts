import { describe, expect, it } from "vitest";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import { callsOf, decode, lastOf, typesOf } from "./decode.ts";
import { added, argument, call, completed, done, event } from "./responses-frames.ts";

const play = (...frames: unknown[]) => decode(openaiResponses, frames);

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
