import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { completeTurn, incompleteTurn } from "../../src/testing/turns.ts";
import type { StandardSchema } from "../../src/turn/standard-schema.ts";
import { executableToolCalls, hasInvalidArguments, hasInvalidToolCalls } from "../../src/turn/tool-calls.ts";
import type { CompleteTurn, ToolCall } from "../../src/turn/turn.ts";

const call = (json: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id: "call_1",
  index: 0,
  name: "weather",
  arguments: json,
  providerExecuted: false,
  ...more,
});
const turnOf = (...toolCalls: ToolCall[]) => completeTurn({ toolCalls });
const schemas = { weather: z.object({ city: z.string() }), add: z.object({ a: z.coerce.number() }) };

/** What is thrown must be a `TypeError` that quotes nothing of the model's. */
function refusalOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).cause).toBeUndefined();
    expect((error as Error).message).not.toContain("SECRET");
    return (error as Error).message;
  }
  throw new Error("nothing was thrown");
}

describe("executableToolCalls", () => {
  it("parses the arguments of each call, in order", () => {
    const turn = turnOf(call('{"city":"Rome"}'), call(' {"city":"Oslo"}\n', { id: "call_2", index: 3 }));
    expect(executableToolCalls(turn)).toEqual([
      { id: "call_1", index: 0, name: "weather", input: { city: "Rome" } },
      { id: "call_2", index: 3, name: "weather", input: { city: "Oslo" } },
    ]);
  });

  it("takes empty arguments for {}", () => {
    expect(executableToolCalls(turnOf(call("")))[0]?.input).toEqual({});
  });

  it("leaves out what the provider ran itself, whatever its arguments", () => {
    const turn = turnOf(call("{SECRET", { providerExecuted: true }), call("{}", { id: "call_2" }));
    expect(executableToolCalls(turn).map(({ id }) => id)).toEqual(["call_2"]);
    expect(executableToolCalls(turnOf(call("{", { providerExecuted: true })))).toEqual([]);
  });

  it("is [] for an answer without calls, however it ended", () => {
    for (const stopReason of ["stop", "refusal", null] as const) {
      expect(executableToolCalls(completeTurn({ text: "hi", stopReason }), { schemas })).toEqual([]);
    }
  });

  it("refuses a turn that is not complete, even without calls", () => {
    const turn = incompleteTurn({ reason: "length" }) as unknown as CompleteTurn;
    expect(refusalOf(() => executableToolCalls(turn))).toContain("incomplete");
  });

  it.each(["tool_calls", "stop", "stop_sequence"] as const)("accepts the stop reason %s", (stopReason) => {
    expect(executableToolCalls(completeTurn({ toolCalls: [call("{}")], stopReason }))).toHaveLength(1);
  });

  it.each(["refusal", "length", "content_filter", "paused", null] as const)(
    "refuses the stop reason %s",
    (stopReason) => {
      const turn = completeTurn({ toolCalls: [call('{"a":"SECRET"}')], stopReason });
      expect(refusalOf(() => executableToolCalls(turn))).toContain(String(stopReason));
    },
  );

  it("accepts the stop reasons it is told to, and only those", () => {
    const turn = (stopReason: "length" | "stop") => completeTurn({ toolCalls: [call("{}")], stopReason });
    expect(executableToolCalls(turn("length"), { accept: ["length"] })).toHaveLength(1);
    expect(refusalOf(() => executableToolCalls(turn("stop"), { accept: ["tool_calls"] }))).toContain("tool_calls");
  });

  it.each(['{"city":"SECRET', "{'city':'SECRET'}", '{"city":"SECRET",}', "SECRET", " ", "{}{}", '{"a":1}\u0000'])(
    "repairs nothing: %j",
    (json) => {
      expect(refusalOf(() => executableToolCalls(turnOf(call("{}"), call(json, { index: 4 }))))).toContain(
        "tool call 4",
      );
    },
  );

  it("gives no call at all if one of them cannot be run", () => {
    expect(() => executableToolCalls(turnOf(call('{"city":"Rome"}'), call('{"city":"Ro')))).toThrow(TypeError);
  });

  it("gives the text of a free-text tool as it is", () => {
    const toolCalls = [call("SELECT 1", { name: "sql" }), call("5", { id: "call_2", name: "sql" })];
    const responses = [
      { type: "custom_tool_call", call_id: "call_1", name: "sql", input: "SELECT 1" },
      { type: "custom_tool_call", call_id: "call_2", name: "sql", input: "5" },
    ];
    const chat = [
      {
        role: "assistant",
        tool_calls: [
          { id: "call_1", type: "custom" },
          { id: "call_2", type: "custom" },
        ],
      },
    ];
    for (const output of [responses, chat]) {
      expect(executableToolCalls(completeTurn({ toolCalls, output })).map(({ input }) => input)).toEqual([
        "SELECT 1",
        "5",
      ]);
      expect(hasInvalidToolCalls(toolCalls, output)).toBe(false);
    }
    expect(() => executableToolCalls(completeTurn({ toolCalls, output: [] }))).toThrow(TypeError);
  });

  describe("with schemas", () => {
    it("gives the input as the schema gives it out, with its type", () => {
      const [first] = executableToolCalls(turnOf(call('{"a":"2"}', { name: "add" })), { schemas });
      expect(first).toEqual({ id: "call_1", index: 0, name: "add", input: { a: 2 } });
      if (first?.name === "add") expectTypeOf(first.input).toEqualTypeOf<{ a: number }>();
      if (first?.name === "weather") expectTypeOf(first.input).toEqualTypeOf<{ city: string }>();
      expectTypeOf(executableToolCalls(turnOf())).toEqualTypeOf<
        { readonly id: string; readonly index: number; readonly name: string; readonly input: unknown }[]
      >();
    });

    it("refuses a tool that is not in them, inherited names included", () => {
      for (const name of ["SECRET_tool", "constructor", "__proto__"]) {
        expect(refusalOf(() => executableToolCalls(turnOf(call("{}", { name })), { schemas }))).toContain(
          "weather, add",
        );
      }
    });

    it("refuses input that does not pass, without the schema's own words", () => {
      const strict = { weather: z.strictObject({ city: z.enum(["Rome"]) }) };
      const turn = turnOf(call('{"city":"SECRET","SECRET":1}'));
      expect(refusalOf(() => executableToolCalls(turn, { schemas: strict }))).toContain("call 0 (weather)");
    });

    it("refuses an asynchronous schema, and leaves no rejection unhandled", async () => {
      const late = (settle: Promise<never>): StandardSchema => ({
        "~standard": { version: 1, vendor: "test", validate: () => settle },
      });
      const weather = late(Promise.reject(new Error("SECRET")));
      expect(refusalOf(() => executableToolCalls(turnOf(call("{}")), { schemas: { weather } }))).toContain(
        "synchronously",
      );
      await new Promise(setImmediate);
    });
  });
});

describe("hasInvalidArguments", () => {
  it.each([
    ["", false],
    ["{}", false],
    ["null", false],
    ["{", true],
    [" ", true],
  ])("of %j is %s", (json, isInvalid) => {
    expect(hasInvalidArguments(call(json))).toBe(isInvalid);
    expect(hasInvalidArguments(call(json, { providerExecuted: true }))).toBe(false);
  });
});
