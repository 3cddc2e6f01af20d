import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { createFetch } from "../../src/client/fetch.ts";
import type { Endpoint } from "../../src/route/endpoint.ts";

const KEY = "sk-live-0123456789abcdefghijklmnop";
const PROMPT = "my grandmother's maiden name is Rosenthal and she lives in Graz";
const request = { messages: [{ role: "user", content: PROMPT }] };
const place: Endpoint = { name: "a", protocol: "openai-chat", url: "https://a.example/v1/chat/completions" };

/** Everything that a log, a debugger or an error tracker could make of it. */
function seenOf(value: unknown): string {
  const { stack, message } = value as Error;
  return [inspect(value, { depth: 12, showHidden: true }), JSON.stringify(value), String(value), stack, message].join(
    "\n",
  );
}

async function errorOf(
  endpoint: Partial<Endpoint>,
  fetch: (input: any, init?: any) => Promise<Response>,
): Promise<unknown> {
  const client = createClient({ endpoints: [{ ...place, ...endpoint }], fetch, retry: { maxRetries: 0 } });
  expect(seenOf(client)).not.toContain(KEY);
  return client.text(request).catch((error: unknown) => error);
}

describe("a key that cannot be sent", () => {
  it.each([
    ["a line feed", { apiKey: `${KEY}\n${KEY}` }],
    ["CR LF", { apiKey: `${KEY}\r\nx-evil: 1` }],
    ["NUL, from a function", { apiKey: async () => `${KEY}\u0000` }],
    ["a key as a name", { headers: { [`Bearer ${KEY}`]: "authorization" } }],
    ["a header function", { headers: () => ({ "x-api-key": `${KEY}\n${KEY}` }) }],
    ["Anthropic's header", { protocol: "anthropic-messages", apiKey: `${KEY}\n${KEY}` }],
  ] as [string, Partial<Endpoint>][])(
    "ends the call as `configuration` and is shown nowhere: %s",
    async (_, endpoint) => {
      const fetch = vi.fn();
      const error = await errorOf(endpoint, fetch);
      expect(error).toMatchObject({ name: "CallError", code: "configuration" });
      expect(fetch).not.toHaveBeenCalled();
      expect(seenOf(error)).not.toContain(KEY);
      expect((error as Error).cause ?? null).toBeNull();
    },
  );
});

describe("what comes back from the network", () => {
  it("is no way for key or prompt into an error", async () => {
    const echo = { error: { message: `bad key ${KEY} for: ${PROMPT}`, type: "invalid_request_error", param: KEY } };
    const answers: (() => Promise<Response>)[] = [
      async () => Response.json(echo, { status: 400 }),
      async () =>
        new Response(`data: ${JSON.stringify(echo)}\n\n`, { headers: { "content-type": "text/event-stream" } }),
      () => Promise.reject(new TypeError(`request to https://a.example/?key=${KEY} failed`, { cause: new Error(KEY) })),
      () => Promise.reject(new AggregateError([new Error(`Bearer ${KEY}`)], KEY)),
    ];
    for (const answer of answers) {
      const error = await errorOf({ apiKey: KEY, url: `${place.url}?key=${KEY}` }, answer);
      expect((error as Error).name).toBe("CallError");
      expect(seenOf(error)).not.toContain(KEY);
      expect(seenOf(error)).not.toContain("Rosenthal");
    }
  });
});

it("the failing function of an endpoint gives its own error as the cause, and no message of ours repeats it", async () => {
  const own = new Error("token service is down");
  const error = (await errorOf({ apiKey: () => Promise.reject(own) }, vi.fn())) as Error;
  expect(error).toMatchObject({ code: "configuration", message: "endpoint `a`: its `apiKey` function failed" });
  expect(error.cause).toBe(own);
});

it("façades check what they are given before anything is sent", async () => {
  const fetch = vi.fn();
  expect(() => createClient({ endpoints: [], fetch })).toThrow(/^`endpoints` is an empty array/);
  expect(() => createFetch({ timeout: 5 } as never)).toThrow(/^`timeout` is no option \(5\), use `limits`/);
  const client = createClient({ endpoints: [place], fetch });
  await expect(client.text(request, { headers: { authorization: KEY } })).rejects.toThrow(
    /^`headers` is an object with the header `authorization`/,
  );
  await expect(client.turn("hi" as never)).rejects.toThrow(/^`body` is a string/);
  await expect(client.text({ messages: 1n as never })).rejects.toThrow(/^`body` cannot be written as JSON/);
  expect(fetch).not.toHaveBeenCalled();
});
