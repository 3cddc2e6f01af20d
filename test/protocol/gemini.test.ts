import { describe, expect, it } from "vitest";
import { gemini } from "../../src/protocol/gemini.ts";
import { callsOf, decode, decodeDocument, lastOf, textOf, typesOf } from "./decode.ts";

const chunk = (parts: object[] | null, candidate: object = {}, more: object = {}) => ({
  candidates: [{ ...(parts && { content: { role: "model", parts } }), ...candidate }],
  ...more,
});
const STOP = { finishReason: "STOP" };

/** Frames, then a clean end of the body. */
const play = (...frames: unknown[]) => decode(gemini, frames, { collect: true, end: true });
const cut = (...frames: unknown[]) => decode(gemini, frames);

describe("gemini", () => {
  it("turns an answer into start, text, usage, and at the end stop and done", () => {
    const meta = { responseId: "r1", modelVersion: "gemini-x" };
    const { events, output } = play(
      chunk([{ text: "Hel" }], {}, { ...meta, usageMetadata: { promptTokenCount: 4 } }),
      chunk([{ text: "lo" }], STOP, meta),
    );
    expect(typesOf(events)).toEqual(["start", "text", "usage", "text", "stop", "done"]);
    expect(events[0]).toEqual({ type: "start", id: "r1", model: "gemini-x" });
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "stop", rawStopReason: "STOP" });
    expect(output).toEqual([{ text: "Hello" }]);
  });

  it("says neither stop nor done before the body has ended", () => {
    expect(typesOf(cut(chunk([{ text: "a" }], STOP)).events)).toEqual(["text"]);
  });

  it("does not take an early STOP that more parts follow for the end", () => {
    const { events } = play(chunk([{ text: "a" }], STOP), chunk([{ text: "b" }]));
    expect(typesOf(events)).toEqual(["text", "text"]);
    expect(
      typesOf(play(chunk([{ text: "a" }], STOP), chunk([{ text: "b" }]), chunk(null, STOP)).events).slice(-2),
    ).toEqual(["stop", "done"]);
  });

  it("takes a reason on a frame without parts, and lets frames without either change nothing", () => {
    const usage = { usageMetadata: { candidatesTokenCount: 2 } };
    const { events } = play(chunk([{ text: "a" }]), chunk(null, STOP), usage, chunk(null, {}), chunk([], {}), {
      promptFeedback: {},
    });
    expect(lastOf(events, "stop")?.rawStopReason).toBe("STOP");
    expect(lastOf(events, "done")).toBeDefined();
  });

  it.each([
    ["STOP", "stop"],
    ["MAX_TOKENS", "length"],
    ["SAFETY", "content_filter"],
    ["RECITATION", "content_filter"],
    ["BLOCKLIST", "content_filter"],
    ["PROHIBITED_CONTENT", "content_filter"],
    ["SPII", "content_filter"],
  ])("knows the finish reason %s as %s", (finishReason, stopReason) => {
    const { events } = play(chunk([{ text: "a" }], { finishReason }));
    expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason, rawStopReason: finishReason });
    expect(lastOf(events, "done")).toBeDefined();
  });

  it.each(["OTHER", "MALFORMED_FUNCTION_CALL", "A_REASON_OF_TOMORROW"])(
    "keeps %s, and takes it for no success",
    (finishReason) => {
      const { events } = play(chunk([{ text: "a" }], { finishReason }));
      expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: null, rawStopReason: finishReason });
      expect(lastOf(events, "done")).toBeUndefined();
    },
  );

  it("takes a blocked prompt for a refusal", () => {
    const { events } = play({ promptFeedback: { blockReason: "SAFETY" } });
    expect(events).toEqual([{ type: "stop", stopReason: "refusal", rawStopReason: "SAFETY" }, { type: "done" }]);
  });

  it("reports thoughts as reasoning and keeps signed parts as they came", () => {
    const { events, output } = play(
      chunk([{ text: "hm, ", thought: true }]),
      chunk([{ text: "well", thought: true }]),
      chunk([{ text: "Y" }, { text: "es" }, { text: "" }]),
      chunk([{ text: "", thoughtSignature: "c2ln" }]),
      chunk([{ text: "!", thoughtSignature: "c2ln" }, { text: "?" }], STOP),
    );
    expect(textOf(events, "reasoning")).toBe("hm, well");
    expect(textOf(events)).toBe("Yes!?");
    expect(output).toEqual([
      { text: "hm, well", thought: true },
      { text: "Yes" },
      { text: "", thoughtSignature: "c2ln" },
      { text: "!", thoughtSignature: "c2ln" },
      { text: "?" },
    ]);
  });

  it("gives runs of text and of thought one index each", () => {
    const { events } = play(
      chunk([{ text: "a", thought: true }, { text: "b" }]),
      chunk([{ text: "c" }, { executableCode: { code: "1" } }, { text: "d" }]),
    );
    expect(events.flatMap((event) => ("index" in event ? [event.index] : []))).toEqual([0, 1, 1, 3]);
  });

  it("leaves the provider's own objects as they came", () => {
    const part = { text: "a" };
    const decoder = gemini.createDecoder();
    for (const parts of [[part], [{ text: "b" }]])
      decoder.frame({ event: "", data: "{}", json: () => chunk(parts) }, () => {});
    expect(part.text).toBe("a");
  });

  it("counts other candidates and keeps the first", () => {
    const { events } = play({
      candidates: [
        { index: 1, content: { parts: [{ text: "other" }] }, finishReason: "MAX_TOKENS" },
        { content: { parts: [{ text: "mine" }] }, finishReason: "STOP" },
      ],
    });
    expect(events[0]).toEqual({ type: "ignored_choice", index: 1 });
    expect(textOf(events)).toBe("mine");
    expect(lastOf(events, "stop")?.rawStopReason).toBe("STOP");
  });

  it("replaces usage field by field; thoughts and tool prompts are parts of output and input", () => {
    const { events } = play(
      { usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, thoughtsTokenCount: 7 } },
      { usageMetadata: { promptTokenCount: 21, toolUsePromptTokenCount: 9, cachedContentTokenCount: 8 } },
    );
    expect(lastOf(events, "usage")?.usage).toEqual({
      inputTokens: 30,
      outputTokens: 12,
      cachedInputTokens: 8,
      reasoningTokens: 7,
    });
  });

  it("says nothing for what is empty or unknown, and survives fields of the wrong type", () => {
    const { events } = play(
      {},
      null,
      "[]",
      "[DONE]",
      { candidates: {} },
      {
        candidates: [
          null,
          {},
          { content: { parts: [null, 3, {}, { text: 4 }, { functionCall: {} }, { functionResponse: {} }] } },
        ],
      },
      chunk([{ text: "" }, { inlineData: { data: "eA==" } }]),
    );
    expect(events).toEqual([]);
  });

  describe("function calls", () => {
    const call = (functionCall: object, more: object = {}) => ({ functionCall, ...more });

    it("come whole, and make STOP a reason to call", () => {
      const part = call({ name: "weather", args: { city: "Rome" } }, { thoughtSignature: "c2ln" });
      const { events, output } = play(chunk([part], STOP));
      expect(callsOf(events)).toEqual([{ id: "call_0", name: "weather", arguments: '{"city":"Rome"}' }]);
      expect(lastOf(events, "stop")).toEqual({ type: "stop", stopReason: "tool_calls", rawStopReason: "STOP" });
      expect(output).toEqual([part]);
    });

    it("keep the provider's id, and are numbered without one", () => {
      const { events } = play(chunk([call({ name: "a", id: "fc_1" }), call({ name: "b" })], STOP));
      expect(callsOf(events)).toEqual([
        { id: "fc_1", name: "a", arguments: "{}" },
        { id: "call_1", name: "b", arguments: "{}" },
      ]);
    });

    it("come in pieces, and stand whole in the output", () => {
      const { events, output } = play(
        chunk([call({ name: "weather", willContinue: true }, { thoughtSignature: "c2ln" })]),
        chunk([
          call({ partialArgs: [{ jsonPath: "$.city", stringValue: "Ro", willContinue: true }], willContinue: true }),
        ]),
        chunk([call({ partialArgs: [{ jsonPath: "$.city", stringValue: "me" }], willContinue: true })]),
        chunk([call({})]),
        chunk([call({ name: "now" })], STOP),
      );
      expect(callsOf(events)).toEqual([
        { id: "call_0", name: "weather", arguments: '{"city":"Rome"}' },
        { id: "call_1", name: "now", arguments: "{}" },
      ]);
      expect(output).toEqual([
        { functionCall: { name: "weather", args: { city: "Rome" } }, thoughtSignature: "c2ln" },
        { functionCall: { name: "now" } },
      ]);
    });

    it("go on under their own id even if the name is repeated", () => {
      const partialArgs = [{ jsonPath: "$.n", numberValue: 1 }];
      const { events } = play(
        chunk([call({ name: "a", id: "x", willContinue: true })]),
        chunk([call({ name: "a", id: "x", partialArgs })], STOP),
      );
      expect(callsOf(events)).toEqual([{ id: "x", name: "a", arguments: '{"n":1}' }]);
    });

    it("that were not ended have arguments that do not parse", () => {
      const partialArgs = [{ jsonPath: "$.n", numberValue: 1 }];
      const { events } = play(
        chunk([call({ name: "a", partialArgs, willContinue: true })]),
        chunk([call({ name: "b" })], STOP),
      );
      expect(callsOf(events).map((call) => call.arguments)).toEqual(['{"n":1', "{}"]);
      expect(callsOf(play(chunk([call({ name: "a", willContinue: true })], STOP)).events)[0]?.arguments).toBe("{");
    });

    it("whose values come out of order end the answer", () => {
      const partialArgs = [{ jsonPath: "$.a[7]", numberValue: 1 }];
      expect(lastOf(play(chunk([call({ name: "a", partialArgs })])).events, "malformed")).toBeDefined();
    });

    it("that the provider answered in the stream are not the client's to run", () => {
      const response = { functionResponse: { name: "weather", response: { temperature: 20 } } };
      const { events, output } = play(
        chunk([call({ name: "weather", args: {} })], STOP),
        chunk([response]),
        chunk([{ text: "20°" }], STOP),
      );
      expect(lastOf(events, "tool_answered")).toEqual({ type: "tool_answered", index: 0 });
      expect(lastOf(events, "stop")?.stopReason).toBe("stop");
      expect(output).toHaveLength(3);
    });

    it("are answered by id where there is one, else by name in order", () => {
      const calls = [
        call({ name: "a", id: "1" }),
        call({ name: "a", id: "2" }),
        call({ name: "b" }),
        call({ name: "b" }),
      ];
      const answers = [{ name: "a", id: "2" }, { name: "b" }, { name: "c" }].map((functionResponse) => ({
        functionResponse,
      }));
      const { events } = play(chunk(calls), chunk(answers, STOP));
      expect(events.filter((event) => event.type === "tool_answered").map((event) => event.index)).toEqual([1, 2]);
      expect(lastOf(events, "stop")?.stopReason).toBe("tool_calls");
    });
  });

  it("reports what the provider runs itself, and keeps it in the output", () => {
    const parts = [
      { executableCode: { language: "PYTHON", code: "print(1)", id: "x1" } },
      { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
      { toolCall: { toolType: "FILE_SEARCH", id: "x2" }, thoughtSignature: "c2ln" },
    ];
    const { events, output } = play(chunk(parts));
    expect(events).toEqual([
      { type: "provider_tool", id: "x1", name: "code_execution" },
      { type: "provider_tool", id: "x2", name: "FILE_SEARCH" },
    ]);
    expect(output).toEqual(parts);
  });

  it("recognises an error frame, and keeps the reason that came before it", () => {
    const { events } = cut(chunk([{ text: "a" }], STOP), {
      error: { code: 503, message: "busy", status: "UNAVAILABLE" },
    });
    expect(events.slice(1)).toEqual([
      { type: "error", code: "503", providerType: "UNAVAILABLE", message: "busy" },
      { type: "stop", stopReason: "stop", rawStopReason: "STOP" },
    ]);
  });

  it("reads a document, be it one answer or an array of frames", () => {
    const whole = decodeDocument(gemini, chunk([{ text: "Hello" }], STOP));
    const array = decodeDocument(gemini, [chunk([{ text: "Hel" }]), chunk([{ text: "lo" }], STOP)]);
    for (const { events } of [whole, array]) {
      expect(textOf(events)).toBe("Hello");
      expect(typesOf(events).slice(-2)).toEqual(["stop", "done"]);
    }
    expect(typesOf(cut('[{"error":{"code":500,"status":"INTERNAL"}}]').events)).toEqual(["error"]);
    const failed = decodeDocument(gemini, [
      chunk([{ text: "Hel" }]),
      { error: { code: 500, message: "", status: "INTERNAL" } },
    ]);
    expect(typesOf(failed.events)).toEqual(["text", "error"]);
  });

  it("keeps nothing if nothing is collected", () => {
    const frames = [
      chunk([{ text: "a" }, { functionCall: { name: "f", willContinue: true } }, { functionCall: {} }], STOP),
    ];
    const { events, output } = decode(gemini, frames, { collect: false, end: true });
    expect(callsOf(events)[0]?.arguments).toBe("{}");
    expect(output).toEqual([]);
  });

  it("knows its path, where the key goes, and what does not belong in a body", () => {
    const base = "https://generativelanguage.googleapis.com/v1beta/models/gemini-x";
    expect(gemini.matches?.(new URL(`${base}:streamGenerateContent?alt=sse`))).toBe(true);
    expect(gemini.matches?.(new URL(`${base}:generateContent`))).toBe(false);
    expect(gemini.authorize?.("k")).toEqual({ "x-goog-api-key": "k" });
    expect(gemini.request?.omit).toEqual(["model", "stream"]);
  });

  it("writes its errors as Google does", () => {
    const failure = { status: 429, providerType: null, message: "no" } as any;
    expect(gemini.errorBody?.(failure)).toEqual({ error: { code: 429, message: "no", status: "RESOURCE_EXHAUSTED" } });
    expect(gemini.errorBody?.({ ...failure, status: null })).toEqual({
      error: { code: 502, message: "no", status: "INTERNAL" },
    });
  });
});
