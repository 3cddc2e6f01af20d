import { describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { turnOf } from "../../src/client/relay.ts";
import type { Scripts } from "../../src/testing/script.ts";
import { scriptedFetch } from "../../src/testing/scripted-fetch.ts";
import { backup, CHAT, ORIGIN, readAll } from "./drop-in.ts";

const endpoint = { name: "a", protocol: "openai-chat", url: `${CHAT}?key=key-of-the-route`, apiKey: "key-2" } as const;

function relay(scripts: Scripts, more: readonly (typeof backup)[] = []) {
  const upstream = scriptedFetch(scripts);
  const client = createClient({
    endpoints: [endpoint, ...more],
    fetch: upstream,
    retry: { maxRetries: 0 },
    hedge: false,
  });
  return { client, upstream };
}

const OWN = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no",
};

describe("client.response()", () => {
  test("has the provider's bytes and headers of its own: no cookie, no encoding, no address, no id", async () => {
    const headers = {
      "set-cookie": "session=1",
      "content-encoding": "gzip",
      "content-type": "text/event-stream; charset=latin1",
      "x-request-id": "r1",
      "openai-organization": "org",
      "cache-control": "max-age=3600",
      "access-control-allow-origin": "*",
    };
    const { client } = relay({ [ORIGIN]: [{ status: 201, headers }, "Hello"] });
    const response = await client.response({ messages: [] });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toEqual(OWN);
    expect(response.url).toBe("");
    expect((await readAll(response)).text).toMatch(/Hello[\s\S]*\[DONE\]/);
    expect(await turnOf(response)).toMatchObject({ status: "complete", text: "Hello", endpoint: "a" });
  });

  test("calls a document a document", async () => {
    const body = { choices: [{ message: { content: "Hi" }, finish_reason: "stop" }] };
    const { client } = relay({ [ORIGIN]: [{ status: 200, body, headers: { "content-type": "image/svg+xml" } }] });
    const response = await client.response({ messages: [] });
    expect(Object.fromEntries(response.headers)).toEqual({ ...OWN, "content-type": "application/json" });
    expect(await response.json()).toEqual(body);
  });

  test("moves on before output, and shows nothing of it", async () => {
    const { client } = relay({ [ORIGIN]: [{ error: "overloaded_error" }], "https://b.test": ["Hello"] }, [backup]);
    const response = await client.response({ messages: [] });
    expect((await readAll(response)).text).not.toContain("overloaded");
    expect(await turnOf(response)).toMatchObject({ endpoint: "backup" });
  });

  test("passes over endpoints of another protocol: their bytes would be strange to the page", async () => {
    const claude = {
      name: "claude",
      protocol: "anthropic-messages",
      url: "https://c.test/v1/messages",
      body: (request: object) => request,
    } as const;
    const { client, upstream } = relay({ "/": [{ status: 503 }] }, [claude as never]);
    expect((await client.response({ messages: [] })).status).toBe(503);
    expect(upstream.requests).toHaveLength(1);
  });

  test("errors the body of a cut answer", async () => {
    const { client } = relay({ [ORIGIN]: ["Half", { end: "cut" }] });
    const { text, error } = await readAll(await client.response({ messages: [] }));
    expect(text).toContain("Half");
    expect(error).toMatchObject({ name: "IncompleteTurnError", code: "closed_before_terminal" });
  });

  test("is an error response of its own if nothing came: not the provider's words, not its headers", async () => {
    const body = { error: { message: "Incorrect API key provided: sk-secret", type: "authentication_error" } };
    const { client } = relay({
      [ORIGIN]: [{ status: 401, body, headers: { "set-cookie": "a=1", "x-request-id": "r" } }],
    });
    const response = await client.response({ messages: [] });
    expect(response.status).toBe(401);
    expect(Object.fromEntries(response.headers)).toEqual({
      ...OWN,
      "content-type": "application/json",
      "x-should-retry": "false",
    });
    expect(await response.text()).not.toContain("sk-secret");
  });

  test("says when to come back", async () => {
    const { client } = relay({ [ORIGIN]: [{ status: 429, headers: { "retry-after": "17.2" } }] });
    const response = await client.response({ messages: [] });
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "18"]);
  });

  test("rejects with the caller's own reason", async () => {
    const { client } = relay({ [ORIGIN]: [{ end: "hold" }] });
    const controller = new AbortController();
    const response = client.response({ messages: [] }, { signal: controller.signal });
    const reason = new Error("gone");
    controller.abort(reason);
    await expect(response).rejects.toBe(reason);
  });
});
