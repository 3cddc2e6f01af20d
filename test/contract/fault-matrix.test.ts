/** Everything a provider can do instead of answering, on real sockets: what follows, and what the servers saw of it. */
import { describe, expect, test } from "vitest";
import { executableToolCalls } from "../../src/index.ts";
import type { Script } from "../../src/testing/script.ts";
import type { AttemptLimits } from "../../src/timing/limits.ts";
import { KEY, type Name, Stage, stubOf, textIn } from "./play.ts";
import { CONVERSATIONS, QUESTION, RESULT, type Spoken } from "./requests.ts";

const PROTOCOLS = Object.keys(CONVERSATIONS) as Spoken[];

interface Fault {
  readonly name: string;
  readonly a: Script;
  /** At `a` only: a loaded machine may be late, and `b` has the time. */
  readonly limits?: AttemptLimits;
  /** Of the attempt at `a`. */
  readonly reason: string;
  readonly status: number;
  /** The server at `a` sees the client leave. */
  readonly left?: true;
}

const call = { name: "weather", arguments: '{"city":"Par' };
const half = ["Half", " an", " answer"];

describe.each(PROTOCOLS)("%s", (protocol) => {
  const { plain, withTool, withToolResult } = CONVERSATIONS[protocol];

  describe("before the first output the next endpoint is asked, once, and nothing of the first comes through", () => {
    test.each<Fault>([
      { name: "connection refused", a: [{ end: "refuse" }], reason: "connection_failed", status: 503 },
      { name: "503 before the stream", a: [{ status: 503 }], reason: "http_error", status: 503 },
      {
        name: "headers, then nothing",
        a: [{ end: "hold" }],
        limits: { firstTokenMs: 100 },
        reason: "timeout_first_token",
        status: 504,
        left: true,
      },
      { name: "headers and metadata, then a clean close", a: ["", { end: "cut" }], reason: "empty", status: 502 },
      { name: "headers and metadata, then a reset", a: ["", { end: "reset" }], reason: "connection_lost", status: 503 },
      { name: "an error in band first", a: [{ error: "overloaded_error" }], reason: "provider_error", status: 503 },
      {
        name: "an error in band after lifecycle events",
        a: ["", { keepAlive: 1 }, { error: "overloaded_error" }],
        reason: "provider_error",
        status: 503,
      },
      { name: "an empty stream", a: [{ end: "cut" }], reason: "empty", status: 502 },
      {
        name: "a first token that does not come",
        a: ["", { keepAlive: 2, everyMs: 20 }, { end: "hold" }],
        limits: { firstTokenMs: 100 },
        reason: "timeout_first_token",
        status: 504,
        left: true,
      },
      { name: "the provider's 429", a: [{ status: 429 }], reason: "http_error", status: 429 },
    ])("$name", async ({ a, limits, reason, status, left }) => {
      const stage = await Stage.open(protocol, { a, b: ["from ", "b"] }, { a: { limits } });
      const { turn, events } = await stage.call(plain);
      expect(turn).toMatchObject({ status: "complete", text: "from b", endpoint: "b" });
      expect(textIn(events)).toBe("from b");
      expect(turn?.attempts).toMatchObject([
        { endpoint: "a", kind: "initial", outcome: reason, status, gate: "failed" },
        { endpoint: "b", kind: "fallback", outcome: "complete", gate: "opened" },
      ]);
      // No server logs a refused connection.
      expect(stage.requests("a")).toHaveLength(reason === "connection_failed" ? 0 : 1);
      expect(stage.requests("b")).toHaveLength(1);
      await expect.poll(() => stage.left("a")).toBe(left ? 1 : 0);
      expect(stage.left("b")).toBe(0);
    });
  });

  describe("once output has come nobody else is asked: the half that came is shown as one", () => {
    test.each<Fault>([
      { name: "a clean cut", a: [...half, { end: "cut" }], reason: "closed_before_terminal", status: 502 },
      { name: "a reset", a: [...half, { end: "reset" }], reason: "connection_lost", status: 503 },
      { name: "an error", a: [...half, { error: "overloaded_error" }], reason: "provider_error", status: 503 },
      {
        name: "silence",
        a: [...half, { end: "hold" }],
        limits: { idleMs: 100 },
        reason: "timeout_idle",
        status: 504,
        left: true,
      },
    ])("$name after three deltas", async ({ a, limits, reason, status, left }) => {
      const stage = await Stage.open(protocol, { a, b: ["from b"] }, { a: { limits } });
      const { turn, events } = await stage.call(plain);
      expect(turn).toMatchObject({ status: "incomplete", reason, partialText: "Half an answer", terminal: false });
      expect(turn).toMatchObject({ error: { reason, status } });
      expect(textIn(events)).toBe("Half an answer");
      expect(turn?.attempts).toMatchObject([{ endpoint: "a", outcome: reason, gate: "opened" }]);
      expect(stage.requests("b")).toHaveLength(0);
      await expect.poll(() => stage.left("a")).toBe(left ? 1 : 0);
    });

    test.each(["cut", "reset"] as const)("a %s inside a tool's arguments, which cannot be run", async (end) => {
      const stage = await Stage.open(protocol, { a: [{ toolCall: call }, { end }], b: ["from b"] });
      const { turn } = await stage.call(withTool);
      expect(turn).toMatchObject({
        status: "incomplete",
        toolFragments: [{ name: "weather", argumentsFragment: call.arguments }],
      });
      expect(() => executableToolCalls(turn as never)).toThrow();
      expect(stage.requests("b")).toHaveLength(0);
    });
  });

  describe("after a tool's result was sent", () => {
    test("a failure before output takes the whole conversation along, result included, once", async () => {
      const stage = await Stage.open(protocol, { a: [{ error: "overloaded_error" }], b: ["It rains"] });
      const { turn } = await stage.call(withToolResult);
      expect(turn).toMatchObject({ status: "complete", text: "It rains", endpoint: "b" });
      const [first] = stage.requests("a");
      const [second, ...more] = stage.requests("b");
      expect(more).toEqual([]);
      expect({ ...second?.body, model: null }).toEqual({ ...first?.body, model: null });
      expect(JSON.stringify(second?.body)).toContain(RESULT);
    });

    test("a failure after output repeats nothing", async () => {
      const stage = await Stage.open(protocol, { a: ["It ra", { end: "reset" }], b: ["It rains"] });
      const { turn } = await stage.call(withToolResult);
      expect(turn).toMatchObject({ status: "incomplete", reason: "connection_lost", partialText: "It ra" });
      expect(stage.requests("a")).toHaveLength(1);
      expect(stage.requests("b")).toHaveLength(0);
    });
  });

  describe("what was decided about the caller is not asked elsewhere", () => {
    const said = (code: string) => ({ error: { type: code, code, message: "no" } });
    test.each<{ name: string; a: Script; status: number; code: string }>([
      { name: "402", a: [{ status: 402, body: said("payment") }], status: 402, code: "refused" },
      {
        name: "403 model_not_allowed",
        a: [{ status: 403, body: said("model_not_allowed") }],
        status: 403,
        code: "refused",
      },
      {
        name: "its own rate limit at the gateway",
        a: [{ status: 429, headers: { "x-envoy-ratelimited": "true", "retry-after": "1" }, body: said("mine") }],
        status: 429,
        code: "refused",
      },
      { name: "a wrong key", a: [{ status: 401 }], status: 401, code: "request_rejected" },
      { name: "a wrong request", a: [{ status: 400 }], status: 400, code: "request_rejected" },
      {
        name: "a content filter's 400",
        a: [{ status: 400, body: said("content_filter") }],
        status: 400,
        code: "request_rejected",
      },
    ])("$name", async ({ a, status, code }) => {
      const stage = await Stage.open(protocol, { a, b: ["from b"] });
      const { error } = await stage.call(plain);
      expect(error).toMatchObject({ code, status });
      expect(error?.attempts).toHaveLength(1);
      expect(stage.requests("a")).toHaveLength(1);
      expect(stage.requests("b")).toHaveLength(0);
      // Nor is the endpoint avoided afterwards: it answers, and others must not be preferred to it.
      await stage.call(plain);
      expect(stage.requests("a")).toHaveLength(2);
    });

    test("a provider's 429 is another matter: it rests as long as it asked, and the next call goes elsewhere", async () => {
      const limited: Script = [{ status: 429, headers: { "retry-after": "30" } }];
      const stage = await Stage.open(protocol, { a: limited, b: ["from b"] });
      await stage.call(plain);
      const { turn } = await stage.call(plain);
      expect(turn).toMatchObject({ endpoint: "b", skipped: [{ endpoint: "a", why: "resting" }] });
      expect(turn?.attempts).toHaveLength(1);
      expect(stage.requests("a")).toHaveLength(1);
      expect(stage.requests("b")).toHaveLength(2);
    });

    test("a content filter within the answer", async () => {
      const stage = await Stage.open(protocol, { a: ["Half", { stop: "content_filter" }], b: ["from b"] });
      const { turn } = await stage.call(plain);
      expect(turn).toMatchObject({ status: "incomplete", reason: "content_filter", terminal: true, error: null });
      expect(stage.requests("b")).toHaveLength(0);
    });
  });

  test("an endpoint that lacks a capability is passed over, and the next gets the request with nothing dropped", async () => {
    const stage = await Stage.open(
      protocol,
      { a: [{ status: 503 }], b: ["from b"], c: ["from c"] },
      { b: { capabilities: { tools: false } } },
    );
    const { turn } = await stage.call(withTool);
    expect(turn).toMatchObject({ endpoint: "c", text: "from c", skipped: [{ endpoint: "b", why: "capability" }] });
    expect(turn?.attempts.map(({ endpoint }) => endpoint)).toEqual(["a", "c"]);
    expect(stage.requests("b")).toHaveLength(0);
    const sent = stage.requests("c")[0]?.body;
    expect(sent).toMatchObject({ ...withTool, model: "model-c", stream: true });
    const added = protocol === "openai-chat" ? ["model", "stream", "stream_options"] : ["model", "stream"];
    expect(Object.keys(sent).sort()).toEqual([...Object.keys(withTool), ...added].sort());
  });

  test("where no endpoint can do it the call fails loudly, and nobody is asked", async () => {
    const cannot = { capabilities: { tools: false } };
    const stage = await Stage.open(protocol, { a: ["a"], b: ["b"] }, { a: cannot, b: cannot });
    const { error } = await stage.call(withTool);
    expect(error).toMatchObject({ code: "no_endpoint_available", status: 503, attempts: [] });
    expect(error?.skipped).toEqual([
      { endpoint: "a", why: "capability" },
      { endpoint: "b", why: "capability" },
    ]);
    for (const name of ["a", "b"] as Name[]) expect(stage.requests(name)).toHaveLength(0);
  });

  test.each([301, 302, 303, 307, 308])("a %i to another origin: no key and no prompt arrives there", async (status) => {
    const { path } = CONVERSATIONS[protocol];
    const elsewhere = await stubOf({ [path]: ["stolen"] });
    const redirect: Script = [{ status, headers: { location: elsewhere.url(path) }, body: "" }];
    const stage = await Stage.open(protocol, { a: redirect, b: ["from b"] });
    const { error } = await stage.call(plain);
    expect(error).toMatchObject({ code: "provider_error", failure: { reason: "http_error", httpStatus: status } });
    expect(elsewhere.requests).toEqual([]);
    expect(stage.requests("b")).toHaveLength(0);
    // The server that redirects had both: they were on the wire, and went nowhere else.
    const [asked] = stage.requests("a");
    expect(JSON.stringify(asked?.headers)).toContain(KEY);
    expect(JSON.stringify(asked?.body)).toContain(QUESTION);
  });
});
