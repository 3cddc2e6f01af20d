import { describe, expect, test, vi } from "vitest";
import { createFetch } from "../../src/client/fetch.ts";
import type { FetchOptions } from "../../src/client/options.ts";
import { turnOf } from "../../src/client/relay.ts";
import { CHAT, chat, dropIn, ORIGIN, readAll } from "./drop-in.ts";

const json = (fields: object) => JSON.stringify(fields);
const events: string[] = [];
const observer = { callStart: () => void events.push("start") };

/** A call that must reach the base `fetch` as it was made, and whose answer comes back as it is. */
async function expectHandedOn(input: string | URL | Request, init?: RequestInit, options: FetchOptions = {}) {
  const answer = new Response("as it is");
  const base = vi.fn(async (_input: string | URL | Request, _init?: RequestInit) => answer);
  const fetch = createFetch({ fetch: base, observers: [observer], ...options });
  expect(await fetch(input, init)).toBe(answer);
  expect(base).toHaveBeenCalledTimes(1);
  expect(base.mock.calls[0]?.[0]).toBe(input);
  expect(base.mock.calls[0]?.[1]).toBe(init);
  expect(turnOf(answer)).toBe(null);
  expect(events).toEqual([]);
}

describe("a call that is no streaming chat call is handed on as it was made", () => {
  const stream = { method: "POST", body: json({ model: "m", stream: true }) };
  test.each([
    ["a GET", CHAT, undefined],
    ["nothing at all", null as unknown as string, undefined],
    ["a method that is no string", CHAT, { method: 5 as unknown as string, body: json({ stream: true }) }],
    ["a URL object", new URL(CHAT), {}],
    ["a POST without a body", CHAT, { method: "POST" }],
    ["a call that asks for no stream", CHAT, { method: "POST", body: json({ model: "m" }) }],
    ["stream: false", CHAT, { method: "POST", body: json({ stream: false }) }],
    ["stream: 1", CHAT, { method: "POST", body: json({ stream: 1 }) }],
    ["a body that is no JSON", CHAT, { method: "POST", body: "stream: true" }],
    ["JSON that is no object", CHAT, { method: "POST", body: '["stream"]' }],
    ["a form", CHAT, { method: "POST", body: new FormData() }],
    ["a blob", CHAT, { method: "POST", body: new Blob([json({ stream: true })]) }],
    ["another path", `${ORIGIN}/v1/embeddings`, stream],
    ["a path that only begins like ours", `${CHAT}/c_1/messages/list`, stream],
    ["Gemini without a stream", `${ORIGIN}/v1/models/m:generateContent`, { method: "POST", body: "{}" }],
    ["Ollama without a stream", `${ORIGIN}/api/chat`, { method: "POST", body: json({ model: "m", stream: false }) }],
    ["a chat route of an app", `${ORIGIN}/api/chat`, { method: "POST", body: json({ id: "1", messages: [] }) }],
    ["an address that is none", "http://", stream],
    ["a relative address without a page", "/v1/chat/completions", stream],
    ["a header that HTTP does not allow", CHAT, { ...stream, headers: { "x-a": "a\nb" } }],
  ])("%s", (_, input, init) => expectHandedOn(input, init));

  test("a `Request` of another kind, with its body unread", async () => {
    const request = new Request(CHAT, { method: "POST", body: json({ model: "m" }) });
    await expectHandedOn(request);
    expect(await request.json()).toEqual({ model: "m" });
    await expectHandedOn(new Request(CHAT));
  });

  test("bytes that are no UTF-8: what would be sent again is not what was given", () =>
    expectHandedOn(CHAT, { method: "POST", body: Buffer.from('{"stream":true,"user":"\xff"}', "latin1") }));

  test("a `Request` whose body is used: the platform complains", async () => {
    const request = new Request(CHAT, chat());
    await request.text();
    await expectHandedOn(request);
    await expect(createFetch()(request)).rejects.toThrow(TypeError);
  });

  test("a named protocol is that of `primary`, not of everybody", async () => {
    const primary = { protocol: "openai-chat", origin: "https://other.test" } as const;
    await expectHandedOn(`${ORIGIN}/llm`, chat(), { primary });
  });

  test("the base `fetch` is looked up at call time and called without `this`", async () => {
    const fetch = createFetch();
    const before = globalThis.fetch;
    try {
      let seen: unknown = "not called";
      globalThis.fetch = async function (this: unknown) {
        seen = this;
        return new Response("late");
      };
      expect(await (await fetch(ORIGIN)).text()).toBe("late");
      expect(seen).toBe(undefined);
    } finally {
      globalThis.fetch = before;
    }
  });
});

describe("a streaming chat call is ours, however it is written", () => {
  const bytes = new TextEncoder().encode(chat().body as string);
  test.each([
    ["a URL object", new URL(CHAT), chat()],
    ["a trailing slash and a query", `${CHAT}/?api-version=1`, chat()],
    ["a `Request`", new Request(CHAT, chat()), undefined],
    ["a `Request` with an init over it", new Request(CHAT, chat({ body: "{}" })), { body: chat().body as string }],
    ["a lower-case method", CHAT, chat({ method: "post" })],
    ["bytes", CHAT, chat({ body: bytes })],
    ["a buffer", CHAT, chat({ body: bytes.buffer })],
    ["a view of another kind", CHAT, chat({ body: new DataView(bytes.buffer) })],
  ])("%s", async (_, input, init) => {
    const { fetch, upstream } = dropIn({ [CHAT]: ["Hello"] });
    const response = await fetch(input, init);
    expect((await readAll(response)).text).toContain("Hello");
    expect(await turnOf(response)).toMatchObject({ status: "complete", text: "Hello" });
    expect(upstream.requests[0]?.body).toEqual(JSON.parse(chat().body as string));
    expect(upstream.requests[0]?.headers).toEqual({
      "content-type": "application/json",
      authorization: "Bearer key-of-the-caller",
    });
  });

  test.each([
    ["gemini", `${ORIGIN}/v1beta/models/g:streamGenerateContent?alt=sse&key=k`, { contents: [] }],
    ["ollama", `${ORIGIN}/api/chat`, { model: "llama", messages: [] }],
    ["anthropic-messages", `${ORIGIN}/v1/messages`, { model: "c", messages: [], stream: true }],
    ["openai-responses", `${ORIGIN}/v1/responses`, { model: "m", input: "", stream: true }],
    ["openai-completions", `${ORIGIN}/v1/completions`, { model: "m", prompt: "", stream: true }],
    ["cohere-v2", `${ORIGIN}/v2/chat`, { model: "c", messages: [], stream: true }],
  ])("%s by its path", async (protocol, url, body) => {
    const { fetch } = dropIn({ [ORIGIN]: ["Hello"] });
    const response = await fetch(url, { method: "POST", body: json(body) });
    await readAll(response);
    expect(await turnOf(response)).toMatchObject({ status: "complete", protocol, text: "Hello" });
  });

  test("any path where the protocol is named", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["Hello"] }, { primary: { protocol: "openai-chat", name: "mine" } });
    const response = await fetch(`${ORIGIN}/llm`, chat());
    await readAll(response);
    expect(await turnOf(response)).toMatchObject({ status: "complete", endpoint: "mine" });
  });

  test("what was given beside it stays with it, but redirects are ours to follow", async () => {
    let given: RequestInit = {};
    const fetch = createFetch({
      retry: { maxRetries: 0 },
      fetch: async (_, init = {}) => {
        given = init;
        return new Response(null, { status: 503 });
      },
    });
    const dispatcher = { dispatch() {} };
    await fetch(CHAT, {
      ...chat(),
      redirect: "follow",
      credentials: "include",
      cache: "no-store",
      dispatcher,
    } as object);
    expect(given).toMatchObject({ redirect: "manual", credentials: "include", cache: "no-store", dispatcher });
    await fetch(new Request(CHAT, { ...chat(), credentials: "omit", referrerPolicy: "no-referrer" }));
    expect(given).toMatchObject({ redirect: "manual", credentials: "omit", referrerPolicy: "no-referrer" });
  });

  test("an address with a password rejects, and repeats neither", async () => {
    const { fetch, upstream } = dropIn({ [ORIGIN]: ["Hello"] });
    const error: any = await fetch("https://user:secret-word@a.test/v1/chat/completions", chat()).catch((e) => e);
    expect(error).toBeInstanceOf(TypeError);
    expect(`${error.stack}`).not.toContain("secret-word");
    expect(upstream.requests).toEqual([]);
  });
});
