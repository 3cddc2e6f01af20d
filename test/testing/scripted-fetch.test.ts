import { describe, expect, test } from "vitest";
import type { Scripts } from "../../src/testing/script.ts";
import { scriptedFetch } from "../../src/testing/scripted-fetch.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const CHAT = "https://a.test/v1/chat/completions";
const post = (body: object, init: RequestInit = {}): RequestInit => ({
  method: "POST",
  body: JSON.stringify(body),
  ...init,
});

/** Reads a body chunk by chunk, as text, until its end or its error. */
async function readAll(response: Response): Promise<{ chunks: string[]; error: unknown }> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: string[] = [];
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      chunks.push(new TextDecoder().decode(read.value));
    return { chunks, error: null };
  } catch (error) {
    return { chunks, error };
  }
}

const play = async (scripts: Scripts, url = CHAT) => readAll(await scriptedFetch(scripts)(url, post({})));

describe("scriptedFetch", () => {
  test("answers in the protocol of the path and ends properly", async () => {
    const fetch = scriptedFetch({ "https://a.test": ["Hel", "lo"] });
    const response = await fetch(CHAT, post({ model: "m" }));
    expect(response.status).toBe(200);
    expect(response.url).toBe(CHAT);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const { chunks } = await readAll(response);
    expect(chunks).toHaveLength(6);
    expect(chunks[0]).toContain('"delta":{"role":"assistant","content":""');
    expect(chunks[1]).toContain('"content":"Hel"');
    expect(chunks[3]).toContain('"finish_reason":"stop"');
    expect(chunks[4]).toContain('"prompt_tokens":10,"completion_tokens":2,"total_tokens":12');
    expect(chunks[5]).toBe("data: [DONE]\n\n");
    expect(chunks.slice(0, 5).every((chunk) => chunk.includes('"model":"m"'))).toBe(true);
  });

  test("without a telling path the request decides: header, then `input`, then chat", async () => {
    const fetch = scriptedFetch({ "/": ["x"] });
    const first = async (init: RequestInit) => (await readAll(await fetch("https://a.test/", init))).chunks[0];
    expect(await first(post({}, { headers: { "Anthropic-Version": "2023-06-01" } }))).toContain("event: message_start");
    expect(await first(post({ input: "hi" }))).toContain("event: response.created");
    expect(await first(post({ messages: [] }))).toContain("chat.completion.chunk");
    expect(await first({})).toContain("chat.completion.chunk");
  });

  test("takes time on its clock only, and writes at its own pace whoever reads", async () => {
    const clock = new VirtualClock();
    const fetch = scriptedFetch(
      { "/": [{ waitMs: 50 }, { status: 200 }, { waitMs: 300 }, { send: "a" }, { waitMs: 50 }, { send: "b" }] },
      { clock },
    );
    let answered = -1;
    const pending = fetch("https://a.test/").then((response) => {
      answered = clock.now();
      return response;
    });
    await clock.advance(1_000);
    expect(answered).toBe(50);
    const { chunks } = await readAll(await pending);
    expect(chunks).toEqual(["a", "b"]);
    expect(fetch.requests[0]).toMatchObject({
      startedMs: 0,
      closedByClientMs: null,
      sent: [
        { atMs: 350, bytes: 1 },
        { atMs: 400, bytes: 1 },
      ],
    });
  });

  test("one script per request, the last repeats", async () => {
    const fetch = scriptedFetch({ "/v1": [[{ send: "1" }], [{ send: "2" }]] });
    const texts = [];
    for (let call = 0; call < 3; call++) texts.push(await (await fetch("https://a.test/v1/x")).text());
    expect(texts).toEqual(["1", "2", "2"]);
  });

  test("the longest prefix wins, and a host is not a prefix of a longer one", async () => {
    const fetch = scriptedFetch({
      "https://a.test": [{ send: "host" }],
      "https://a.test/v1/models": [{ send: "models" }],
      "/v1/models/deep": [{ send: "path" }],
    });
    const text = async (url: string) => (await fetch(url)).text();
    expect(await text("https://a.test/v2")).toBe("host");
    expect(await text("https://a.test/v1/models?x=1")).toBe("models");
    expect(await text("https://a.test/v1/models/deep")).toBe("path");
    const missing = await fetch("https://a.test.example/v2?key=secret-in-the-query");
    expect(missing.status).toBe(404);
    const { error } = await missing.json();
    expect(error.message).toBe(
      "ttft/testing: no script for https://a.test.example/v2; there are: https://a.test, https://a.test/v1/models, /v1/models/deep",
    );
  });

  test("the host of a key may be written in any way that a URL allows", async () => {
    const fetch = scriptedFetch({ "HTTPS://A.Test:443/V1": [{ send: "found" }] });
    expect(await (await fetch("https://a.test/V1")).text()).toBe("found");
    expect((await fetch("https://a.test/v1")).status).toBe(404);
  });

  test("logs URL, headers, body and writes", async () => {
    const fetch = scriptedFetch({ "/": [{ send: "four" }] }, { chunkBytes: 3 });
    await (await fetch(new URL("https://a.test/x?y=1"), post({ a: 1 }, { headers: { "X-One": "1" } }))).text();
    await (await fetch("https://a.test/x", { method: "POST", body: "not json" })).text();
    await (
      await fetch(new Request("https://a.test/r", { method: "POST", body: '{"b":2}', headers: { "x-two": "2" } }))
    ).text();
    expect(fetch.requests).toMatchObject([
      { url: "https://a.test/x?y=1", headers: { "x-one": "1" }, body: { a: 1 }, sent: [{ bytes: 3 }, { bytes: 1 }] },
      { url: "https://a.test/x", body: "not json" },
      { url: "https://a.test/r", headers: { "x-two": "2" }, body: { b: 2 } },
    ]);
  });

  test("the log of a string body is whole when fetch returns", () => {
    const fetch = scriptedFetch({ "/": ["x"] });
    void fetch(CHAT, post({ a: 1 }));
    expect(fetch.requests[0]?.body).toEqual({ a: 1 });
  });

  test("chunkBytes cuts every write", async () => {
    const fetch = scriptedFetch({ "/": [{ send: "Grüße" }] }, { chunkBytes: 1 });
    const reader = ((await fetch("https://a.test/")).body as ReadableStream<Uint8Array>).getReader();
    const sizes: number[] = [];
    for (let read = await reader.read(); !read.done; read = await reader.read()) sizes.push(read.value.length);
    expect(sizes).toEqual(new Array(7).fill(1));
    expect(() => scriptedFetch({}, { chunkBytes: 0 })).toThrow("chunkBytes takes a whole number ≥ 1, got 0");
  });
});

describe("failures in memory", () => {
  test("cut and half_close: a clean end without the success signal", async () => {
    for (const end of ["cut", "half_close"] as const) {
      const { chunks, error } = await play({ "/": ["Hi", { end }] });
      expect(error).toBeNull();
      expect(chunks.join("")).toContain('"content":"Hi"');
      expect(chunks.join("")).not.toContain("[DONE]");
    }
  });

  test("reset: what was written arrives, then the body errors as undici's does", async () => {
    const { chunks, error } = await play({ "/": ["Hi", { end: "reset" }] });
    expect(chunks.join("")).toContain('"content":"Hi"');
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: "terminated", cause: { code: "UND_ERR_SOCKET" } });
  });

  test("refuse: fetch rejects as it does for a closed port", async () => {
    const fetch = scriptedFetch({ "/": [[{ end: "refuse" }], ["works"]] });
    await expect(fetch(CHAT, post({}))).rejects.toMatchObject({
      name: "TypeError",
      message: "fetch failed",
      cause: { code: "ECONNREFUSED" },
    });
    expect((await fetch(CHAT, post({}))).status).toBe(200);
  });

  test("hold: open until the client goes, and the log knows when", async () => {
    const clock = new VirtualClock();
    const fetch = scriptedFetch({ "/": ["Hi", { done: true }, { end: "hold" }] }, { clock });
    const response = await fetch(CHAT, post({}));
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    for (let chunk = ""; !chunk.includes("[DONE]"); ) chunk = new TextDecoder().decode((await reader.read()).value);
    let ended = false;
    const last = reader.read().then(() => {
      ended = true;
    });
    await clock.advance(500);
    expect(ended).toBe(false);
    await reader.cancel();
    await last;
    expect(fetch.requests[0]?.closedByClientMs).toBe(500);
  });

  test("status with a body; the content type follows it unless it is given", async () => {
    const fetch = scriptedFetch({
      "/json": [{ status: 503, body: { error: { message: "no" } }, headers: { "Retry-After": "1" } }],
      "/html": [{ status: 200, body: "<html>no</html>" }],
      "/plain": [{ status: 502, body: "bad gateway" }],
      "/own": [{ status: 200, body: "{}", headers: { "content-type": "text/odd" } }],
    });
    const seen = [];
    for (const path of ["json", "html", "plain", "own"]) {
      const response = await fetch(`https://a.test/${path}`);
      seen.push([response.status, response.headers.get("content-type"), await response.text()]);
    }
    expect(seen).toEqual([
      [503, "application/json", '{"error":{"message":"no"}}'],
      [200, "text/html; charset=utf-8", "<html>no</html>"],
      [502, "text/plain; charset=utf-8", "bad gateway"],
      [200, "text/odd", "{}"],
    ]);
    expect((await fetch("https://a.test/json")).headers.get("retry-after")).toBe("1");
  });

  test("an error status without a body gets the provider's JSON, from `error` or by itself", async () => {
    const fetch = scriptedFetch({
      "/v1/messages": [{ status: 529 }, { error: "overloaded_error", message: "Overloaded" }],
      "/v1/chat/completions": [{ status: 429 }],
    });
    const messages = await fetch("https://a.test/v1/messages");
    expect(messages.headers.get("content-type")).toBe("application/json");
    expect(await messages.json()).toMatchObject({
      type: "error",
      error: { type: "overloaded_error", message: "Overloaded" },
    });
    expect(await (await fetch(CHAT)).json()).toMatchObject({ error: { type: "rate_limit_error" } });
  });

  test("a status without a body leaves the rest to the script", async () => {
    const { chunks } = await play({ "/": [{ status: 201, headers: { "X-One": "1" } }, "Hi"] });
    expect(chunks.join("")).toContain('"content":"Hi"');
    const fetch = scriptedFetch({ "/": [{ status: 204 }] });
    expect((await fetch("https://a.test/")).body).toBeNull();
  });

  test("what the protocol cannot say is a 501 that says so, where the door could not know", async () => {
    const fetch = scriptedFetch({ "https://a.test": [{ stop: "paused" }] });
    const response = await fetch(CHAT, post({}));
    expect(response.status).toBe(501);
    expect((await response.json()).error.message).toBe(
      'ttft/testing: openai-chat cannot say the stop reason "paused"; use { send } for bytes of your own',
    );
  });
});

describe("the caller's signal", () => {
  test("aborted before: rejects with the reason, and no request is made", async () => {
    const fetch = scriptedFetch({ "/": ["x"] });
    const reason = new Error("mine");
    await expect(fetch(CHAT, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(fetch.requests).toHaveLength(0);
  });

  test("aborted while the headers stall: rejects with the reason, and no timer is left", async () => {
    const clock = new VirtualClock();
    const fetch = scriptedFetch({ "/": [{ waitMs: 5_000 }, { status: 200 }, "x"] }, { clock });
    const controller = new AbortController();
    const pending = fetch(CHAT, post({}, { signal: controller.signal }));
    const outcome = expect(pending).rejects.toBe("why");
    await clock.advance(100);
    controller.abort("why");
    await outcome;
    expect(clock.pending).toBe(0);
    expect(fetch.requests[0]?.closedByClientMs).toBe(100);
  });

  test("aborted in the middle of the body: the read rejects with the reason, the server stops", async () => {
    const clock = new VirtualClock();
    const fetch = scriptedFetch({ "/": [{ send: "a" }, { waitMs: 5_000 }, { send: "b" }] }, { clock });
    const controller = new AbortController();
    const reason = new Error("mine");
    const response = await fetch(new Request("https://a.test/", { signal: controller.signal }));
    const reading = readAll(response);
    await clock.advance(10);
    controller.abort(reason);
    expect(await reading).toEqual({ chunks: ["a"], error: reason });
    expect(clock.pending).toBe(0);
    expect(fetch.requests[0]).toMatchObject({ closedByClientMs: 10, sent: [{ bytes: 1 }] });
  });

  test("aborted after the server has finished: unread bytes are lost, and the log knows that nobody gave up", async () => {
    const fetch = scriptedFetch({ "/": [{ send: "a" }] });
    const controller = new AbortController();
    const response = await fetch("https://a.test/", { signal: controller.signal });
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort();
    await expect(response.text()).rejects.toThrow("aborted");
    expect(fetch.requests[0]?.closedByClientMs).toBeNull();
  });

  test("is let go on every path", async () => {
    for (const script of [["x"], [{ status: 204 }], [{ end: "reset" }], [{ end: "refuse" }]] as Scripts[string][]) {
      let listeners = 0;
      const { signal } = new AbortController();
      const { addEventListener, removeEventListener } = signal;
      signal.addEventListener = (...args: any[]) => {
        listeners++;
        addEventListener.apply(signal, args as any);
      };
      signal.removeEventListener = (...args: any[]) => {
        listeners--;
        removeEventListener.apply(signal, args as any);
      };
      const fetch = scriptedFetch({ "/": script });
      await fetch("https://a.test/", { signal }).then(
        (response) => response.body && readAll(response),
        () => {},
      );
      expect(listeners).toBe(0);
    }
  });
});
