/** `client.response()` behind servers, over real sockets: what reaches the browser's side, and what becomes of the upstream. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { gzipSync } from "node:zlib";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { afterEach, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import { createClient } from "../../src/client/client.ts";
import type { Scripts } from "../../src/testing/script.ts";
import { createStub, type Stub } from "../../src/testing/stub.ts";

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

/** As one writes it with `node:http` or Express. */
function node(client: Client): Promise<string> {
  const handle = async (_: IncomingMessage, res: ServerResponse) => {
    const gone = new AbortController();
    res.on("close", () => gone.abort());
    const answer = await client.response({ messages: [] }, { signal: gone.signal });
    res.writeHead(answer.status, Object.fromEntries(answer.headers));
    await pipeline(Readable.fromWeb(answer.body as never), res).catch(() => {});
  };
  return listening(createServer((req, res) => void handle(req, res).catch(() => res.destroy())));
}

/** As one writes it with Hono, Next.js or Bun. */
function hono(client: Client): Promise<string> {
  const app = new Hono().post("/", (c) => client.response({ messages: [] }, { signal: c.req.raw.signal }));
  return new Promise((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () =>
      resolve(addressOf(server as Server)),
    );
    open.push(() => close(server as Server));
  });
}

function listening(server: Server): Promise<string> {
  open.push(() => close(server));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(addressOf(server)));
  });
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

async function stubOf(script: Scripts[string]): Promise<Stub> {
  const stub = await createStub({ "/v1/chat/completions": script });
  open.push(() => stub.close());
  return stub;
}

function clientFor(stub: Stub): Client {
  const endpoint = {
    protocol: "openai-chat",
    url: stub.url("/v1/chat/completions"),
    apiKey: "key-of-the-route",
  } as const;
  return createClient({ endpoints: [endpoint], retry: { maxRetries: 0 } });
}

const whole = (text: string) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: text }, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`;

async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; turns < 400 && !holds(); turns++) await new Promise((resolve) => setTimeout(resolve, 5));
}

describe.each([
  ["node:http", node],
  ["Hono", hono],
])("client.response() behind %s", (_, serverOf) => {
  const ask = async (script: Scripts[string], init: RequestInit = {}) => {
    const stub = await stubOf(script);
    const url = await serverOf(clientFor(stub));
    return { stub, response: await fetch(url, { method: "POST", ...init }) };
  };

  test("a gzip'd upstream arrives readable, and is not said to be gzip'd", async () => {
    const headers = { "content-encoding": "gzip", "content-type": "text/event-stream" };
    const { response } = await ask([{ status: 200, headers }, { send: gzipSync(whole("Hello")) }]);
    expect(response.headers.get("content-encoding")).toBe(null);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("x-accel-buffering")).toBe("no");
    expect(await response.text()).toBe(whole("Hello"));
  });

  test("cookies of the upstream stay there", async () => {
    const { response } = await ask([{ status: 200, headers: { "set-cookie": "session=of-the-provider" } }, "Hello"]);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(await response.text()).toContain("Hello");
  });

  test("a cut upstream breaks the browser's connection: no clean end", async () => {
    const { response } = await ask(["Half", { waitMs: 50 }, { end: "cut" }]);
    let text = "";
    const read = async () => {
      const decoder = new TextDecoder();
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) text += decoder.decode(chunk);
    };
    await expect(read()).rejects.toThrow();
    expect(text).toContain("Half");
  });

  test("an upstream that gave nothing is an error response", async () => {
    const { response } = await ask([{ error: "overloaded_error" }]);
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect((await response.json()).error.type).toBe("overloaded_error");
  });

  test("a browser that leaves within the answer closes the upstream", async () => {
    const controller = new AbortController();
    const { stub, response } = await ask(["Hello", { end: "hold" }], { signal: controller.signal });
    await (response.body as ReadableStream).getReader().read();
    controller.abort();
    await until(() => stub.requests[0]?.closedByClientMs !== null);
    expect(stub.requests[0]?.closedByClientMs).not.toBe(null);
  });

  test("a browser that leaves before the answer closes the upstream", async () => {
    const stub = await stubOf([{ end: "hold" }]);
    const url = await serverOf(clientFor(stub));
    const controller = new AbortController();
    const gone = fetch(url, { method: "POST", signal: controller.signal }).catch(() => "gone");
    await until(() => stub.requests.length > 0);
    controller.abort();
    expect(await gone).toBe("gone");
    await until(() => stub.requests[0]?.closedByClientMs !== null);
    expect(stub.requests[0]?.closedByClientMs).not.toBe(null);
  });
});
