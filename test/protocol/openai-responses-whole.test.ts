import { describe, expect, it } from "vitest";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import { callsOf, decode, textOf } from "./decode.ts";
import { added, argument, call, completed, created, done, event, message, text } from "./responses-frames.ts";

const play = (...frames: unknown[]) => decode(openaiResponses, frames);

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

  it("where an item is known by its place alone", () => {
    const approval = (id: string) => ({ type: "mcp_approval_request", id, arguments: "{}" });
    const { events } = play(
      added(0, message()),
      added(1, approval("1")),
      completed([{ ...message("all"), id: "m2" }, approval("2")]),
    );
    expect(textOf(events)).toBe("all");
    expect(callsOf(events)).toEqual([{ id: "1", name: "mcp_approval_request", arguments: "{}" }]);
  });

  it("where an item is known by its id alone", () => {
    const { events } = play(
      added(0, { type: "reasoning", id: "r" }),
      added(1, call()),
      added(2, call({ call_id: "k2" })),
      completed([call({ arguments: "{}" }), call({ call_id: "k2", arguments: "[]" })]),
    );
    expect(callsOf(events)).toEqual([
      { id: "k1", name: "one", arguments: "{}" },
      { id: "k2", name: "one", arguments: "[]" },
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
