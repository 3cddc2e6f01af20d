import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { defineProtocol } from "../../src/protocol/define.ts";
import type { Scripts } from "../../src/testing/script.ts";
import { scriptedFetch } from "../../src/testing/scripted-fetch.ts";
import { createStub, type Stub } from "../../src/testing/stub.ts";
import { testProtocol } from "../../src/testing/test-protocol.ts";
import { completeTurn, incompleteTurn } from "../../src/testing/turns.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const chat = (scripts: Scripts, clock?: VirtualClock) =>
  createClient({
    endpoints: [{ name: "a", protocol: "openai-chat", url: "https://a.test/v1/chat/completions" }],
    fetch: scriptedFetch(scripts, { clock }),
    clock,
    retry: { maxRetries: 0 },
    hedge: false,
  });

describe("the kit and the client, in memory", () => {
  test("moves to the backup before the first token, on virtual time", async () => {
    const clock = new VirtualClock();
    const fetch = scriptedFetch(
      { "https://a.test": [{ error: "overloaded_error" }], "https://b.test": ["Hello", { waitMs: 300 }, " world"] },
      { clock },
    );
    const client = createClient({
      fetch,
      clock,
      random: () => 0.5,
      endpoints: [
        { name: "a", protocol: "openai-chat", url: "https://a.test/v1/chat/completions" },
        { name: "b", protocol: "anthropic-messages", url: "https://b.test/v1/messages", body: (request) => request },
      ],
    });
    const answer = client.text({ messages: [] });
    await clock.runAll();
    expect(await answer).toBe("Hello world");
    expect(fetch.requests.map(({ url }) => new URL(url).host)).toEqual(["a.test", "b.test"]);
    expect(clock.pending).toBe(0);
    expect(clock.now()).toBeLessThan(1_000);
  });

  test("a cut answer is shown as such", async () => {
    const turn = await chat({ "https://a.test": ["The answer is for", { end: "reset" }] }).turn({ messages: [] });
    expect(turn).toMatchObject({ status: "incomplete", reason: "connection_lost", partialText: "The answer is for" });
  });

  test("limits end a held script, and leave no timer", async () => {
    const clock = new VirtualClock();
    const fails = expect(chat({ "/": [{ end: "hold" }] }, clock).turn({ messages: [] })).rejects.toMatchObject({
      failure: { reason: "timeout_first_token" },
    });
    await clock.runAll();
    await fails;
    expect(clock.pending).toBe(0);
    expect(clock.now()).toBe(120_000);
  });

  test("the turns of the kit have the fields of real ones, and the same values where the script is the same", async () => {
    const real = await chat({ "/": ["Hello"] }).turn({ messages: [] });
    const made = completeTurn({ endpoint: "a" });
    expect(Object.keys(made).sort()).toEqual(Object.keys(real).sort());
    const { text, stopReason, rawStopReason, lastEvent, output, successSignal, model, id, requestId } =
      real as typeof made;
    expect(made).toMatchObject({
      text,
      stopReason,
      rawStopReason,
      lastEvent,
      output,
      successSignal,
      model,
      id,
      requestId,
    });
    expect(Object.keys(made.toJSON({ content: false })).sort()).toEqual(
      Object.keys(real.toJSON({ content: false })).sort(),
    );
    expect(Object.keys(made.attempts[0] as object).sort()).toEqual(Object.keys(real.attempts[0] as object).sort());
    const cut = await chat({ "/": ["Hello", { end: "cut" }] }).turn({ messages: [] });
    const half = incompleteTurn({ reason: "closed_before_terminal", endpoint: "a" });
    expect(Object.keys(half).sort()).toEqual(Object.keys(cut).sort());
    expect({ ...half, error: null, timing: null, attempts: null, callId: "", usage: null }).toEqual({
      ...JSON.parse(JSON.stringify(cut)),
      error: null,
      timing: null,
      attempts: null,
      callId: "",
    });
  });
});

describe("the kit and the client, over a socket", () => {
  let stub: Stub;
  afterEach(() => stub.close());
  const client = () =>
    createClient({
      endpoints: [{ protocol: "openai-chat", url: stub.url("/v1/chat/completions") }],
      retry: { maxRetries: 0 },
    });

  test.each([
    ["complete", ["Hello"]],
    ["complete", ["Hello", { done: true }, { end: "hold" }]],
    ["closed_before_terminal", ["half", { end: "cut" }]],
    ["connection_lost", ["half", { end: "reset" }]],
    ["connection_lost", ["half", { end: "half_close" }]],
    ["provider_error", ["half", { error: "overloaded_error" }]],
    ["malformed_event", ["half", { send: "data: {oops\n\n" }]],
    ["length", ["half", { stop: "length" }]],
  ] as [string, Scripts[string]][])("%s", async (outcome, script) => {
    stub = await createStub({ "/v1/chat/completions": script });
    const turn = await client().turn({ messages: [] });
    expect(turn.toJSON({ content: false }).outcome).toBe(outcome);
  });

  test.each([
    ["connection_failed", [{ end: "refuse" }]],
    ["empty", [{ end: "cut" }]],
    ["connection_lost", [{ end: "reset" }]],
    ["http_error", [{ status: 503 }]],
    ["not_a_stream", [{ status: 200, body: "<html></html>" }]],
    ["provider_error", ["", { error: "overloaded_error" }]],
  ] as [string, Scripts[string]][])("before output: %s", async (reason, script) => {
    stub = await createStub({ "/v1/chat/completions": script });
    await expect(client().turn({ messages: [] })).rejects.toMatchObject({ failure: { reason } });
  });
});

test("a home-made protocol: tested on its sample, then played from a script of its own bytes", async () => {
  const homemade = defineProtocol({
    name: "homemade",
    framing: "ndjson",
    createDecoder: () => ({
      frame(frame, emit) {
        const line = frame.json();
        if (line.error) return emit({ type: "error", code: line.code, message: line.error });
        if (line.t) emit({ type: "text", text: line.t, index: 0 });
        if (!line.end) return;
        emit({ type: "stop", stopReason: line.end === "stop" ? "stop" : "length", rawStopReason: line.end });
        emit({ type: "done" });
      },
    }),
  });
  const bytes = '{"t":"hi"}\n{"end":"stop","tokens":1}\n';
  await testProtocol(homemade, [{ name: "hello", bytes, text: "hi" }]);
  const client = createClient({
    endpoints: [{ protocol: homemade, url: "http://localhost:9000/chat" }],
    fetch: scriptedFetch({ "/chat": [{ send: bytes }] }),
  });
  expect(await client.text({ messages: [] })).toBe("hi");
});
