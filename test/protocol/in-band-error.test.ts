import { describe, expect, it } from "vitest";
import { frameError, inBandError } from "../../src/protocol/in-band-error.ts";
import { frameOf } from "./decode.ts";

const error = (message: string, code: string | null = null, providerType: string | null = null) => ({
  type: "error",
  code,
  providerType,
  message,
});

describe("an in-band error is known by its structure", () => {
  const shapes: [string, unknown, object][] = [
    [
      "a top-level error object",
      { error: { type: "overloaded", code: "c1", message: "busy" } },
      error("busy", "c1", "overloaded"),
    ],
    ["beside an ordinary chunk", { choices: [{ index: 0, delta: {} }], error: { message: "gone" } }, error("gone")],
    ["with a number as its code", { error: { code: 502, message: "bad" } }, error("bad", "502")],
    ["with a numeric string as its code", { error: { code: "429", message: "slow" } }, error("slow", "429")],
    ["as a bare sentence", { error: "model runner stopped" }, error("model runner stopped")],
    ["with nothing in it", { error: {} }, error("")],
    [
      "with Google's status",
      { error: { code: 503, message: "m", status: "UNAVAILABLE" } },
      error("m", "503", "UNAVAILABLE"),
    ],
    [
      "flat, with object: error",
      { object: "error", message: "m", type: "BadRequestError", code: 400 },
      error("m", "400", "BadRequestError"),
    ],
    [
      "flat, with type: error",
      { type: "error", code: "insufficient_quota", message: "q", param: null },
      error("q", "insufficient_quota"),
    ],
    [
      "nested in type: error",
      { type: "error", error: { type: "overloaded_error", message: "o" } },
      error("o", null, "overloaded_error"),
    ],
    ["in the turn's choice", { choices: [{ index: 0, error: { code: 429, message: "r" } }] }, error("r", "429")],
    ["in Groq's extension", { x_groq: { error: "over_capacity" }, choices: [] }, error("over_capacity")],
  ];
  it.each(shapes)("%s", (_, json, expected) => {
    expect(inBandError(json)).toEqual(expected);
    expect(frameError(frameOf(json))).toEqual(expected);
  });

  const answers: [string, unknown][] = [
    ["error: null", { error: null, choices: [] }],
    ["the word error in the text", { choices: [{ delta: { content: '{"error":{"message":"x"}}' } }] }],
    ["an error of a choice that is not the turn", { choices: [{ index: 1, error: { message: "x" } }] }],
    ["null", null],
    ["a number", 7],
    ["a string", '"error"'],
  ];
  it.each(answers)("%s is none", (_, json) => {
    expect(inBandError(json)).toBeNull();
    expect(frameError(frameOf(json))).toBeNull();
  });
});

describe("a frame named error", () => {
  it("is one even if its JSON says so in no other way", () => {
    expect(frameError(frameOf({ code: "x", message: "flat" }, "error"))).toEqual(error("flat", "x"));
  });

  it("holds the nested error", () => {
    const json = { error: { message: "m", type: "invalid_request_error", code: "tool_use_failed", status_code: 400 } };
    expect(frameError(frameOf(json, "error"))).toEqual(error("m", "tool_use_failed", "invalid_request_error"));
  });

  it("need not hold JSON", () => {
    expect(frameError(frameOf("context size exceeded", "error"))).toEqual(error("context size exceeded"));
  });

  it("says nothing more where its data says nothing", () => {
    expect(frameError(frameOf("null", "error"))).toEqual(error(""));
  });
});
