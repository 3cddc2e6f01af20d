import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { Scripts } from "../../src/testing/script.ts";
import { createStub, type Stub } from "../../src/testing/stub.ts";

const stubs: Stub[] = [];
afterEach(async () => {
  await Promise.all(stubs.splice(0).map((stub) => stub.close()));
});

async function start(scripts: Scripts, options?: Parameters<typeof createStub>[1]): Promise<Stub> {
  const stub = await createStub(scripts, options);
  stubs.push(stub);
  return stub;
}

const CHAT = "/v1/chat/completions";
const post = (stub: Stub, path = CHAT, init: RequestInit = {}) =>
  fetch(stub.url(path), { method: "POST", body: '{"model":"m"}', ...init });

interface Read {
  readonly text: string;
  readonly chunks: { readonly atMs: number; readonly text: string }[];
  readonly error: any;
}
async function readAll(response: Response): Promise<Read> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: { atMs: number; text: string }[] = [];
  let error: unknown = null;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read())
      chunks.push({ atMs: performance.now(), text: new TextDecoder().decode(read.value) });
  } catch (thrown) {
    error = thrown;
  }
  return { text: chunks.map(({ text }) => text).join(""), chunks, error };
}

/** What stands on the wire, to the end that the server makes. */
async function wireOf(stub: Stub, path: string): Promise<string> {
  const socket = connect({ port: Number(new URL(stub.url(path)).port), host: "127.0.0.1" });
  socket.write(`POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`);
  let wire = "";
  socket.on("data", (chunk) => {
    wire += chunk;
  });
  await once(socket, "end");
  socket.destroy();
  return wire;
}

describe("a stub on a real socket", () => {
  test("answers, ends properly, and logs what it saw and sent on the client's own clock", async () => {
    const stub = await start({ [CHAT]: ["Hello", { waitMs: 30 }, " world"] });
    const startedMs = performance.now();
    const response = await post(stub, `${CHAT}?x=1`, { headers: { "X-One": "1" } });
    const { text, chunks, error } = await readAll(response);
    expect(error).toBeNull();
    expect(text).toContain('"content":"Hello"');
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    const [seen] = stub.requests;
    expect(seen).toMatchObject({ url: stub.url(`${CHAT}?x=1`), body: { model: "m" }, closedByClientMs: null });
    expect(seen?.headers["x-one"]).toBe("1");
    expect(seen?.startedMs).toBeGreaterThanOrEqual(startedMs);
    // Each write was made before the client read it, and the last ones 30 ms after the first.
    const [first] = seen?.sent ?? [];
    const last = seen?.sent.at(-1);
    expect(first?.atMs).toBeLessThanOrEqual(chunks[0]?.atMs as number);
    expect((last?.atMs as number) - (first?.atMs as number)).toBeGreaterThan(25);
    expect(seen?.sent.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(Buffer.byteLength(text));
  });

  test("one script per request", async () => {
    const stub = await start({ [CHAT]: [["fails", { end: "cut" }], ["works"]] });
    expect((await readAll(await post(stub))).text).not.toContain("[DONE]");
    expect((await readAll(await post(stub))).text).toContain("[DONE]");
    expect((await readAll(await post(stub))).text).toContain("works");
  });

  test("a path without a script is a 404 that lists the paths", async () => {
    const stub = await start({ [CHAT]: ["x"] });
    const response = await fetch(stub.url("/v1/other"));
    expect(response.status).toBe(404);
    expect((await response.json()).error.message).toContain(`there are: ${CHAT}`);
  });

  test("chunkBytes: every write leaves in chunks of that size", async () => {
    const stub = await start({ "/": [{ send: "abcdefg" }] }, { chunkBytes: 2 });
    expect(await wireOf(stub, "/")).toMatch(/\r\n2\r\nab\r\n2\r\ncd\r\n2\r\nef\r\n1\r\ng\r\n0\r\n\r\n$/);
    expect(stub.requests[0]?.sent.map(({ bytes }) => bytes)).toEqual([2, 2, 2, 1]);
  });

  test("pages of any origin may call it, and preflights are not requests", async () => {
    const stub = await start({ [CHAT]: ["x"] });
    const preflight = await fetch(stub.url(CHAT), {
      method: "OPTIONS",
      headers: { origin: "https://page.test", "access-control-request-headers": "authorization,content-type" },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,content-type");
    const response = await post(stub);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    await response.text();
    expect(stub.requests).toHaveLength(1);
  });

  test("listens on the port it is given, and rejects if that is taken", async () => {
    const stub = await start({ "/": ["x"] });
    const port = Number(new URL(stub.url("/")).port);
    await expect(createStub({}, { port })).rejects.toMatchObject({ code: "EADDRINUSE" });
    await stub.close();
    const again = await start({ "/": [{ send: "again" }] }, { port });
    expect(await (await fetch(again.url("/"))).text()).toBe("again");
    await expect(createStub({}, { port: -1 })).rejects.toThrow("port takes a whole number from 0 to 65535, got -1");
    await expect(createStub({ "https://a.test": [] })).rejects.toThrow("createStub takes paths");
  });

  test("writes no faster than the client reads", async () => {
    const big = "x".repeat(1 << 20);
    const stub = await start({ "/": new Array(64).fill({ send: big }) });
    const response = await fetch(stub.url("/"));
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(stub.requests[0]?.sent.length).toBeLessThan(64);
    await response.body?.cancel();
  });
});

describe("faults that only a socket can show", () => {
  test("refuse as the only step: the address names a closed port", async () => {
    const stub = await start({ "/down/v1/messages": [{ end: "refuse" }], [CHAT]: ["up"] });
    await expect(post(stub, "/down/v1/messages")).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
    expect((await post(stub)).status).toBe(200);
    expect(stub.requests).toHaveLength(1);
  });

  test("refuse elsewhere: the socket is reset before any answer", async () => {
    const stub = await start({ [CHAT]: [[{ waitMs: 20 }, { end: "refuse" }], ["up"]] });
    await expect(post(stub)).rejects.toMatchObject({ message: "fetch failed", cause: { code: "ECONNRESET" } });
    expect((await post(stub)).status).toBe(200);
  });

  test("reset: what was sent arrives, then the body errors", async () => {
    const stub = await start({ [CHAT]: ["The answer is for", { end: "reset" }] });
    const { text, error } = await readAll(await post(stub));
    expect(text).toContain("The answer is for");
    expect(error).toBeInstanceOf(TypeError);
    expect(error.cause.code).toMatch(/UND_ERR_SOCKET|ECONNRESET/);
  });

  test("reset right after the head: the head arrives", async () => {
    const stub = await start({ [CHAT]: [{ end: "reset" }] });
    const response = await post(stub);
    expect(response.status).toBe(200);
    expect((await readAll(response)).error).toBeInstanceOf(TypeError);
  });

  test("half close: a FIN without the last chunk, which Node tells from a clean end", async () => {
    const stub = await start({ [CHAT]: ["half", { end: "half_close" }] });
    const { text, error } = await readAll(await post(stub));
    expect(text).toContain("half");
    expect(error).toMatchObject({ message: "terminated", cause: { code: "UND_ERR_SOCKET" } });
    const wire = await wireOf(stub, CHAT);
    expect(wire).toContain("half");
    expect(wire).not.toMatch(/\r\n0\r\n\r\n$/);
  });

  test("cut: a clean end of the body", async () => {
    const stub = await start({ [CHAT]: ["cut", { end: "cut" }] });
    const { text, error } = await readAll(await post(stub));
    expect(error).toBeNull();
    expect(text).not.toContain("[DONE]");
  });

  test("stalled headers, then a stalled body", async () => {
    const stub = await start({ "/": [{ waitMs: 60 }, { status: 200 }, { waitMs: 60 }, { send: "late" }] });
    const startedMs = performance.now();
    const response = await fetch(stub.url("/"));
    const headersMs = performance.now() - startedMs;
    const { text } = await readAll(response);
    const doneMs = performance.now() - startedMs;
    expect(text).toBe("late");
    expect(headersMs).toBeGreaterThan(55);
    expect(doneMs - headersMs).toBeGreaterThan(40);
  });

  test("keep-alives only, for ever: the client leaves and the log knows when", async () => {
    const stub = await start({ [CHAT]: [{ keepAlive: 3, everyMs: 15 }, { end: "hold" }] });
    const reader = ((await post(stub)).body as ReadableStream<Uint8Array>).getReader();
    const expected = ": keep-alive\n\n".repeat(3);
    let text = "";
    while (text.length < expected.length) text += new TextDecoder().decode((await reader.read()).value);
    expect(text).toBe(expected);
    const leftMs = performance.now();
    await reader.cancel();
    while (stub.requests[0]?.closedByClientMs === null) await new Promise((resolve) => setTimeout(resolve, 2));
    expect(stub.requests[0]?.closedByClientMs).toBeGreaterThanOrEqual(leftMs);
  });

  test("held open after the terminal event", async () => {
    const stub = await start({ [CHAT]: ["x", { done: true }, { end: "hold" }] });
    const reader = ((await post(stub)).body as ReadableStream<Uint8Array>).getReader();
    let text = "";
    while (!text.includes("[DONE]")) text += new TextDecoder().decode((await reader.read()).value);
    const next = await Promise.race([reader.read(), new Promise((resolve) => setTimeout(resolve, 50, "still open"))]);
    expect(next).toBe("still open");
    await reader.cancel();
  });

  test("slow drip: one piece after the other", async () => {
    const drip = [..."slow"].flatMap((letter) => [{ send: letter }, { waitMs: 20 }]);
    const stub = await start({ "/": drip });
    const { text } = await readAll(await fetch(stub.url("/")));
    expect(text).toBe("slow");
    const times = stub.requests[0]?.sent.map(({ atMs }) => atMs) ?? [];
    expect(times).toHaveLength(4);
    for (const [at, ms] of times.slice(1).entries()) expect(ms - (times[at] as number)).toBeGreaterThan(15);
  });

  test("malformed frames and a wrong content type", async () => {
    const stub = await start({
      [CHAT]: ["ok", { send: "data: {oops\n\n" }],
      "/html": [{ status: 200, headers: { "content-type": "text/html" }, body: "<html>login</html>" }],
    });
    expect((await readAll(await post(stub))).text).toContain("data: {oops\n\n");
    const page = await fetch(stub.url("/html"));
    expect(page.headers.get("content-type")).toBe("text/html");
    expect(await page.text()).toBe("<html>login</html>");
  });
});

describe("close()", () => {
  test("ends what is held open, may be called twice, and leaves no socket", async () => {
    const stub = await createStub({ [CHAT]: ["x", { end: "hold" }], "/down": [{ end: "refuse" }] });
    const reading = readAll(await post(stub));
    await stub.close();
    await stub.close();
    expect((await reading).error).toBeInstanceOf(TypeError);
    expect(stub.requests[0]?.closedByClientMs).toBeNull();
    await expect(fetch(stub.url(CHAT))).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  });

  test("a client that leaves while it still sends its request hurts nobody", async () => {
    const stub = await start({ [CHAT]: ["x"] });
    const request = httpRequest(stub.url(CHAT), { method: "POST", headers: { "content-length": "100" } });
    request.on("error", () => {});
    request.write("{");
    await new Promise((resolve) => setTimeout(resolve, 30));
    request.destroy();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect((await post(stub)).status).toBe(200);
    expect(stub.requests[0]?.closedByClientMs).not.toBeNull();
  });

  test("without node:http it says what to use instead", async () => {
    const { getBuiltinModule } = process;
    process.getBuiltinModule = undefined as never;
    try {
      await expect(createStub({})).rejects.toThrow("createStub needs node:http");
    } finally {
      process.getBuiltinModule = getBuiltinModule;
    }
  });
});
