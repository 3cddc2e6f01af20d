import { afterAll, describe, expect, test, vi } from "vitest";
import { createFetch } from "../../src/client/fetch.ts";
import { turnOf } from "../../src/client/relay.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { CHAT, chat, dropIn, ORIGIN, readAll } from "./drop-in.ts";

const unhandled: unknown[] = [];
const keep = (reason: unknown) => void unhandled.push(reason);
process.on("unhandledRejection", keep);
afterAll(async () => {
  await new Promise((resolve) => setTimeout(resolve, 20));
  process.off("unhandledRejection", keep);
  expect(unhandled).toEqual([]);
});

/** Counts what stays on it. */
function signalOf(controller: AbortController) {
  const { signal } = controller;
  let listeners = 0;
  vi.spyOn(signal, "addEventListener").mockImplementation((...args: any) => {
    listeners++;
    return AbortSignal.prototype.addEventListener.apply(signal, args);
  });
  vi.spyOn(signal, "removeEventListener").mockImplementation((...args: any) => {
    listeners--;
    return AbortSignal.prototype.removeEventListener.apply(signal, args);
  });
  return { signal, left: () => listeners };
}

describe("the caller's abort is the platform's own", () => {
  test("a `Request` whose body is locked is complained about, and leaves no listener", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["Hello"] });
    const { signal, left } = signalOf(new AbortController());
    const request = new Request(CHAT, chat());
    request.body?.getReader();
    await expect(fetch(request, { signal })).rejects.toThrow(TypeError);
    expect(left()).toBe(0);
  });

  test.each([undefined, new Error("stop"), "a word", null])("before the call: %s", async (reason) => {
    const { fetch, upstream } = dropIn({ [ORIGIN]: ["Hello"] });
    const controller = new AbortController();
    controller.abort(reason);
    const thrown = await fetch(CHAT, chat({ signal: controller.signal })).catch((error) => error);
    expect(thrown).toBe(controller.signal.reason);
    expect(upstream.requests).toEqual([]);
  });

  test.each([
    ["before headers", [{ waitMs: 60_000 }, { status: 200 }]],
    ["while held", ["", { end: "hold" }]],
  ] as const)("%s: rejects with the reason, and the upstream is closed", async (_, script) => {
    const { fetch, upstream } = dropIn({ [ORIGIN]: script });
    const controller = new AbortController();
    const { signal, left } = signalOf(controller);
    const response = fetch(CHAT, chat({ signal }));
    await new Promise(setImmediate);
    const reason = new Error("stop");
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
    expect(upstream.requests[0]?.closedByClientMs).not.toBe(null);
    expect(left()).toBe(0);
  });

  test("within the body: a pending read rejects with the reason", async () => {
    const { fetch, upstream } = dropIn({ [ORIGIN]: ["Hello", { end: "hold" }] });
    const controller = new AbortController();
    const { signal, left } = signalOf(controller);
    const response = await fetch(CHAT, chat({ signal }));
    expect(left()).toBe(1);
    const read = readAll(response);
    await new Promise(setImmediate);
    controller.abort();
    expect((await read).error).toBe(signal.reason);
    expect((await read).error).toMatchObject({ name: "AbortError" });
    expect(await turnOf(response)).toMatchObject({ status: "incomplete", reason: "aborted" });
    expect(upstream.requests[0]?.closedByClientMs).not.toBe(null);
    expect(left()).toBe(0);
  });

  test("stops a slow reader even where all has come already", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["one", "two", "three"] });
    const controller = new AbortController();
    const response = await fetch(CHAT, chat({ signal: controller.signal }));
    expect(await turnOf(response)).toMatchObject({ status: "complete" });
    const reader = (response.body as ReadableStream).getReader();
    await reader.read();
    controller.abort();
    await expect(reader.read()).rejects.toBe(controller.signal.reason);
  });

  test("of a `Request`'s own signal, also while its body is still being read", async () => {
    const { fetch, upstream } = dropIn({ [ORIGIN]: ["Hello", { end: "hold" }] });
    const controller = new AbortController();
    const { signal } = controller;
    const response = await fetch(new Request(CHAT, chat({ signal })));
    const read = readAll(response);
    controller.abort();
    expect((await read).error).toMatchObject({ name: "AbortError" });

    const endless = new ReadableStream({ pull: () => new Promise(() => {}) });
    const other = new AbortController();
    const pending = fetch(
      new Request(CHAT, chat({ body: endless, duplex: "half", signal: other.signal } as RequestInit)),
    );
    other.abort();
    await expect(pending).rejects.toMatchObject({ name: "AbortError" });
    expect(upstream.requests).toHaveLength(1);
  });

  test("does not reach a signal that `init` has replaced by none", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["Hello"] });
    const controller = new AbortController();
    controller.abort();
    const response = await fetch(new Request(CHAT, chat({ signal: controller.signal })), { signal: null });
    expect((await readAll(response)).text).toContain("Hello");
  });
});

describe("whoever leaves closes the upstream", () => {
  test("`cancel()` before the first read, between reads and during one", async () => {
    for (const reads of [0, 1, 99]) {
      const { fetch, upstream } = dropIn({ [ORIGIN]: ["Hello", { end: "hold" }] });
      const response = await fetch(CHAT, chat());
      const reader = (response.body as ReadableStream).getReader();
      const pending: Promise<unknown>[] = [];
      for (let at = 0; at < Math.min(reads, 3); at++) pending.push(reader.read());
      await new Promise(setImmediate);
      await reader.cancel("enough");
      await Promise.all(pending);
      expect(upstream.requests[0]?.closedByClientMs).not.toBe(null);
      expect(await turnOf(response)).toMatchObject({ status: "incomplete", reason: "aborted" });
    }
  });

  test("`cancel()` after the end changes nothing", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["Hello"] });
    const response = await fetch(CHAT, chat());
    await turnOf(response);
    await response.body?.cancel();
    expect(await turnOf(response)).toMatchObject({ status: "complete", text: "Hello" });
  });

  test("a body that nobody reads is let go after the consumer limit, and no timer is left", async () => {
    const clock = new VirtualClock();
    const { fetch, upstream } = dropIn(
      { [ORIGIN]: ["Hello", { end: "hold" }] },
      { clock, limits: { idleMs: Infinity, stallMs: Infinity } },
    );
    const response = await fetch(CHAT, chat());
    await clock.runAll();
    expect(await turnOf(response)).toMatchObject({ reason: "timeout_consumer" });
    expect(upstream.requests[0]?.closedByClientMs).toBe(300_000);
    expect(clock.pending).toBe(0);
  });

  test("no read of ours runs ahead without bound", async () => {
    let pulled = 0;
    const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x" } }] })}\n\n`;
    const fetch = createFetch({
      fetch: async () => {
        const pull = (controller: ReadableStreamDefaultController) => {
          pulled++;
          controller.enqueue(new TextEncoder().encode(event));
        };
        return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
      },
    });
    const response = await fetch(CHAT, chat());
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(pulled).toBeGreaterThan(1);
    expect(pulled).toBeLessThanOrEqual(65);
    await response.body?.cancel();
  });
});

test("the response has the address, the status and the headers of who answered, and an opaque id", async () => {
  const headers = {
    "x-ratelimit-remaining": "7",
    "x-ttft-call": "forged",
    "content-encoding": "gzip",
    "set-cookie": "a=1",
  };
  const { fetch } = dropIn({ [ORIGIN]: [{ status: 201, headers }, "Hello"] });
  const response = await fetch(CHAT, chat());
  expect(response.status).toBe(201);
  expect(response.url).toBe(CHAT);
  const seen = Object.fromEntries(response.headers);
  expect(seen).toMatchObject({ "x-ratelimit-remaining": "7", "set-cookie": "a=1" });
  expect(seen["content-encoding"]).toBe(undefined);
  await readAll(response);
  const turn = await turnOf(response);
  expect(seen["x-ttft-call"]).toBe(turn?.callId);
  expect(turnOf(new Response())).toBe(null);
});

test("the id never goes up the wire", async () => {
  const { fetch, upstream } = dropIn({ [ORIGIN]: ["Hello"] });
  await readAll(await fetch(CHAT, chat()));
  expect(Object.keys(upstream.requests[0]?.headers ?? {}).filter((name) => name.startsWith("x-ttft"))).toEqual([]);
});
