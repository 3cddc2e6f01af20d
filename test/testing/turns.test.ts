import { describe, expect, test } from "vitest";
import { completeTurn, incompleteTurn } from "../../src/testing/turns.ts";

const META_FIELDS = [
  "annotations",
  "attempts",
  "callId",
  "endpoint",
  "id",
  "ignoredChoices",
  "label",
  "lastEvent",
  "model",
  "output",
  "protocol",
  "rawStopReason",
  "requestId",
  "requestProtocol",
  "restartOf",
  "skipped",
  "status",
  "stopReason",
  "streamed",
  "successSignal",
  "timing",
  "unterminatedFinalEvent",
  "usage",
]; // prettier-ignore

describe("completeTurn", () => {
  test("needs nothing: every field has a sensible value", () => {
    const turn = completeTurn();
    expect(Object.keys(turn).sort()).toEqual(
      [...META_FIELDS, "hasInvalidToolCalls", "reasoning", "refusal", "text", "toolCalls"].sort(),
    );
    expect(turn).toMatchObject({
      status: "complete",
      text: "Hello",
      stopReason: "stop",
      rawStopReason: "stop",
      successSignal: true,
      lastEvent: "[DONE]",
      protocol: "openai-chat",
      usage: { inputTokens: 10, outputTokens: 1 },
      output: [{ role: "assistant", content: "Hello" }],
      timing: { ttftMs: 180, totalMs: 640, firstContentEvent: 1, contentChunks: 1 },
      attempts: [{ kind: "initial", outcome: "complete", gate: "opened", endpoint: "endpoint" }],
    });
    expect(Object.values(turn)).not.toContain(undefined);
  });

  test("what is given replaces it, `undefined` counts as left out", () => {
    const turn = completeTurn({ text: "hi", model: "m", label: undefined as never, endpoint: "backup" });
    expect(turn).toMatchObject({ text: "hi", model: "m", label: null, endpoint: "backup" });
    expect(turn.output).toEqual([{ role: "assistant", content: "hi" }]);
    expect(turn.attempts[0]?.endpoint).toBe("backup");
    expect(completeTurn({ stopReason: null })).toMatchObject({ stopReason: null, rawStopReason: null });
  });

  test("tool calls bring their stop reason and their blocks", () => {
    const call = { id: "c1", index: 0, name: "weather", arguments: '{"city":"Paris"}', providerExecuted: false };
    const turn = completeTurn({ toolCalls: [call], protocol: "anthropic-messages" });
    expect(turn).toMatchObject({
      text: "",
      stopReason: "tool_calls",
      rawStopReason: "tool_use",
      requestProtocol: "anthropic-messages",
    });
    expect(turn.output).toEqual([{ type: "tool_use", id: "c1", name: "weather", input: { city: "Paris" } }]);
    expect(completeTurn({ toolCalls: [{ ...call, arguments: "{" }] }).hasInvalidToolCalls).toBe(true);
  });

  test("every protocol has its own blocks; a foreign one has none", () => {
    for (const protocol of ["openai-responses", "gemini", "ollama", "cohere-v2", "anthropic-messages"])
      expect(JSON.stringify(completeTurn({ protocol, text: "hi", reasoning: "hm" }).output)).toContain('"hi"');
    expect(completeTurn({ protocol: "homemade" })).toMatchObject({ protocol: "homemade", output: [], text: "Hello" });
  });

  test("toJSON keeps everything, or nothing that a model said", () => {
    const toolCalls = [{ id: "c1", index: 0, name: "weather", arguments: "{}", providerExecuted: false }];
    const turn = completeTurn({ text: "a secret", toolCalls, annotations: { run: "7" } });
    expect(JSON.parse(JSON.stringify(turn))).toMatchObject({ text: "a secret", status: "complete" });
    const record = turn.toJSON({ content: false });
    expect(record).toMatchObject({
      outcome: "complete",
      startedAt: Date.UTC(2025, 0, 1),
      terminal: true,
      toolCalls: 1,
      toolArgumentLengths: [2],
      annotations: { run: "7" },
      promptBand: "unknown",
    });
    expect(JSON.stringify(record)).not.toContain("secret");
    expect(Object.keys(turn)).not.toContain("toJSON");
  });

  test("a field that no turn has is refused by name", () => {
    expect(() => completeTurn({ partialText: "x" } as never)).toThrow('"partialText" is no field of this turn');
  });
});

describe("incompleteTurn", () => {
  test("a cut: not terminal, with the failure that a call would have had", () => {
    const turn = incompleteTurn({ reason: "connection_lost", partialText: "The answer is for" });
    expect(Object.keys(turn).sort()).toEqual(
      [
        ...META_FIELDS,
        "error",
        "partialReasoning",
        "partialRefusal",
        "partialText",
        "reason",
        "terminal",
        "toolFragments",
      ].sort(),
    );
    expect(turn).toMatchObject({
      status: "incomplete",
      terminal: false,
      stopReason: null,
      successSignal: false,
      error: { reason: "connection_lost", status: 503, message: "the connection was lost within the answer" },
      attempts: [{ outcome: "connection_lost", failure: { reason: "connection_lost" } }],
    });
    expect(turn.toJSON({ content: false })).toMatchObject({ outcome: "connection_lost", terminal: false });
  });

  test("an ending that the provider chose: terminal, with its stop reason, without error", () => {
    expect(incompleteTurn({ reason: "length" })).toMatchObject({
      terminal: true,
      stopReason: "length",
      rawStopReason: "length",
      successSignal: true,
      error: null,
      attempts: [{ outcome: "length", failure: null }],
    });
    expect(incompleteTurn({ reason: "length", protocol: "openai-responses" })).toMatchObject({
      successSignal: false,
      lastEvent: "response.incomplete",
    });
    expect(incompleteTurn({ reason: "paused", protocol: "anthropic-messages" }).rawStopReason).toBe("pause_turn");
  });

  test("what is empty has no words, what is a fragment has its lengths in the record", () => {
    expect(incompleteTurn({ reason: "empty" })).toMatchObject({ partialText: "", output: [] });
    const fragment = { id: "c1", index: 0, name: "weather", argumentsFragment: '{"ci' };
    const turn = incompleteTurn({ reason: "connection_lost", toolFragments: [fragment] });
    expect(turn.toJSON({ content: false })).toMatchObject({ toolCalls: 1, toolArgumentLengths: [4] });
  });

  test("needs a reason", () => {
    expect(() => incompleteTurn({} as never)).toThrow('incompleteTurn takes a reason, e.g. { reason: "length" }');
  });
});
