import { describe, expect, test } from "vitest";
import type { ProtocolName, StopReason } from "../../src/protocol/protocol.ts";
import { rehearse } from "../../src/testing/rehearse.ts";
import type { Script } from "../../src/testing/script.ts";
import { judge } from "../../src/turn/verdict.ts";

const ALL: readonly ProtocolName[] = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "ollama",
  "cohere-v2",
  "openai-completions",
];
const WITH_TOOLS = ALL.filter((name) => name !== "openai-completions");

/** What this library makes of a scripted answer. */
function answerTo(name: ProtocolName, script: Script) {
  const { inspector, timeline } = rehearse(name, script);
  const { text, reasoning, refusal, toolCalls, stopReason, rawStopReason, usage, id, model } =
    inspector.answer.assembler;
  const verdict = judge(inspector.answer.facts, inspector.answer.failure, {
    accept: [],
    lenient: false,
    isErrorCode: () => false,
  });
  const { signal, providerError } = inspector.answer;
  return {
    text,
    reasoning,
    refusal,
    toolCalls,
    stopReason,
    rawStopReason,
    usage,
    id,
    model,
    verdict,
    signal,
    providerError,
    timeline,
  };
}

describe.each(ALL)("%s", (name) => {
  test("text is an answer with stop reason, usage and success signal", () => {
    const answer = answerTo(name, ["Hel", "", "lo"]);
    expect(answer).toMatchObject({ text: "Hello", stopReason: "stop", verdict: { status: "complete" }, signal: true });
    expect(answer.usage).toMatchObject({ inputTokens: 10, outputTokens: 3 });
    if (name !== "cohere-v2") expect(answer.model).toBe("scripted-model");
    if (name !== "ollama") expect(answer.id).toMatch(/_1$|-1$/);
  });

  test("an empty script is an answer without words", () => {
    expect(answerTo(name, [])).toMatchObject({ text: "", stopReason: "stop", verdict: { status: "complete" } });
  });

  test("a cut ends without the success signal, an early `done` is one", () => {
    expect(answerTo(name, ["half", { end: "cut" }]).verdict).toMatchObject({ reason: "closed_before_terminal" });
    if (name !== "gemini")
      expect(answerTo(name, ["whole", { done: true }, { end: "hold" }]).verdict.status).toBe("complete");
  });

  test("keep-alives are no events", () => {
    const { timeline, text } = answerTo(name, ["a", { keepAlive: 3 }, "b"]);
    const { timeline: without } = answerTo(name, ["a", "b"]);
    expect(text).toBe("ab");
    expect(timeline.events).toBe(without.events);
    // An empty line of NDJSON is nothing at all.
    if (name !== "ollama") expect(timeline.keepAlives - without.keepAlives).toBe(3);
  });

  test("an error is one in band, before output and after it", () => {
    for (const before of [[], ["half"]]) {
      const answer = answerTo(name, [...before, { error: "overloaded_error", message: "Overloaded" }]);
      expect(answer.verdict).toMatchObject({ reason: "provider_error" });
      expect(answer.text).toBe(before.join(""));
      expect(answer.providerError?.message).toContain("Overloaded");
      if (name === "ollama") expect(answer.providerError?.message).toContain("overloaded_error");
      else expect(answer.providerError?.type?.toLowerCase()).toBe("overloaded_error");
    }
  });

  test("a success signal after an error is no success", () => {
    const answer = answerTo(name, ["half", { error: "server_error" }, { done: true }]);
    expect(answer.verdict).toMatchObject({ reason: "provider_error" });
  });

  test("a length stop is incomplete and properly ended", () => {
    expect(answerTo(name, ["half", { stop: "length" }])).toMatchObject({
      stopReason: "length",
      verdict: { status: "incomplete", reason: "length", terminal: true },
    });
  });
});

describe.each(WITH_TOOLS)("%s", (name) => {
  test("reasoning, text and tool calls keep their places", () => {
    const answer = answerTo(name, [
      { reasoning: "hm" },
      { reasoning: "m" },
      "Let me look.",
      { toolCall: { name: "weather", arguments: { city: "Zürich 🏔️" }, pieces: 4 } },
      { toolCall: { name: "time", arguments: "", id: "mine" } },
    ]);
    expect(answer).toMatchObject({
      reasoning: "hmm",
      text: "Let me look.",
      stopReason: "tool_calls",
      verdict: { status: "complete" },
    });
    expect(answer.toolCalls.map(({ id, name }) => ({ id, name }))).toEqual([
      { id: "call_1", name: "weather" },
      { id: "mine", name: "time" },
    ]);
    expect(JSON.parse(answer.toolCalls[0]?.arguments ?? "")).toEqual({ city: "Zürich 🏔️" });
    expect(["", "{}"]).toContain(answer.toolCalls[1]?.arguments);
  });
});

describe.each(["openai-chat", "openai-responses", "anthropic-messages", "cohere-v2"] as const)("%s", (name) => {
  test("arguments come in as many pieces as asked, and may be cut in the middle", () => {
    const pieces: string[] = [];
    const { inspector } = rehearse(name, [
      { toolCall: { name: "weather", arguments: '{"city":"Par', pieces: 3 } },
      { end: "cut" },
    ]);
    pieces.push(...inspector.answer.assembler.toolCalls.map((call) => call.arguments));
    expect(pieces).toEqual(['{"city":"Par']);
    expect(inspector.answer.signal).toBe(false);
  });
});

const STOPS: Record<StopReason, Partial<Record<ProtocolName, StopReason>>> = {
  stop: Object.fromEntries(ALL.map((name) => [name, "stop"])),
  stop_sequence: {
    "openai-chat": "stop",
    "openai-responses": "stop",
    "anthropic-messages": "stop_sequence",
    gemini: "stop",
    ollama: "stop",
    "cohere-v2": "stop_sequence",
    "openai-completions": "stop",
  },
  tool_calls: { "openai-chat": "tool_calls", "anthropic-messages": "tool_calls", "cohere-v2": "tool_calls" },
  refusal: { "openai-chat": "stop", "openai-responses": "stop", "anthropic-messages": "refusal", gemini: "refusal" },
  length: Object.fromEntries(ALL.map((name) => [name, "length"])),
  content_filter: {
    "openai-chat": "content_filter",
    "openai-responses": "content_filter",
    "anthropic-messages": "refusal",
    gemini: "content_filter",
    "openai-completions": "content_filter",
  },
  paused: { "anthropic-messages": "paused" },
};

describe("stop reasons", () => {
  test.each(Object.entries(STOPS))("%s, in the words of each protocol that has some", (stop, byProtocol) => {
    for (const [name, expected] of Object.entries(byProtocol)) {
      const answer = answerTo(name as ProtocolName, [{ stop: stop as StopReason }]);
      expect(`${name} ${answer.stopReason}`).toBe(`${name} ${expected}`);
    }
  });

  test("a refusal is told in words where the protocol tells it so", () => {
    expect(answerTo("openai-chat", [{ stop: "refusal" }]).refusal).not.toBe("");
    expect(answerTo("openai-responses", [{ stop: "refusal" }]).refusal).not.toBe("");
  });

  test("protocols without a word for it say so", () => {
    expect(() => rehearse("openai-chat", [{ stop: "paused" }])).toThrow(
      'openai-chat cannot say the stop reason "paused"',
    );
    expect(() => rehearse("openai-responses", [{ stop: "paused" }])).toThrow(TypeError);
    expect(() => rehearse("ollama", [{ stop: "content_filter" }])).toThrow(TypeError);
    expect(() => rehearse("openai-completions", [{ reasoning: "x" }])).toThrow(
      "openai-completions cannot say reasoning",
    );
    expect(() => rehearse("gemini", [{ toolCall: { name: "t", arguments: "{" } }])).toThrow("are not JSON");
  });
});
