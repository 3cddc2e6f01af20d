import { describe, expect, it } from "vitest";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import { decode, decodeDocument, lastOf, typesOf } from "./decode.ts";
import { added, call, completed, created, event, message, text, usage } from "./responses-frames.ts";

const play = (...frames: unknown[]) => decode(openaiResponses, frames);

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
