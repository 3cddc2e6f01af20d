import { describe, expect, test } from "vitest";
import { findTtftError } from "../../src/client/find-error.ts";
import { turnOf } from "../../src/client/relay.ts";
import type { Script } from "../../src/testing/script.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { backup, CHAT, chat, dropIn, ORIGIN, readAll } from "./drop-in.ts";

async function failed(script: Script, options = {}) {
  const clock = new VirtualClock();
  const { fetch, upstream } = dropIn({ [ORIGIN]: script }, { clock, ...options });
  const response = fetch(CHAT, chat());
  await clock.runAll();
  return { response: await response, upstream };
}

describe("a failed gate is an error response", () => {
  test("an HTTP failure as it came, but for what SDKs would do about it", async () => {
    const body = { error: { message: "Slow down", type: "rate_limit_error", code: "rate_limit_exceeded" } };
    const headers = { "retry-after": "20", "x-request-id": "r1", "x-ttft-call": "forged", "x-ttft-endpoint": "forged" };
    const { response } = await failed([{ status: 429, body, headers: { ...headers, "x-should-retry": "true" } }]);
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual(body);
    expect(response.url).toBe(CHAT);
    const seen = Object.fromEntries(response.headers);
    expect(seen).toMatchObject({ "retry-after": "20", "x-request-id": "r1", "x-should-retry": "false" });
    expect(Object.keys(seen).filter((name) => name.startsWith("x-ttft-"))).toEqual(["x-ttft-call"]);
    expect(seen["x-ttft-call"]).not.toBe("forged");
    expect(turnOf(response)).toBe(null);
  });

  test.each([
    ["a failure in band", [{ error: "overloaded_error" }], 503, "overloaded_error"],
    ["a failure in band of unknown kind", [{ error: "oddity" }], 502, "oddity"],
    [
      "JSON with status 200",
      [{ status: 200, body: { error: { type: "rate_limit_error", message: "no" } } }],
      429,
      "rate_limit_error",
    ],
    ["an empty stream", [{ end: "cut" }], 502, "server_error"],
    ["HTML", [{ status: 200, body: "<html></html>" }], 502, "server_error"],
    ["a reset", [{ end: "reset" }], 503, "server_error"],
    ["a refused connection", [{ end: "refuse" }], 503, "server_error"],
    ["silence", [{ end: "hold" }], 504, "server_error"],
    ["keep-alives without end", [{ keepAlive: 40, everyMs: 10_000 }, { end: "hold" }], 504, "server_error"],
    ["a redirect", [{ status: 302, headers: { location: "https://evil.test/" } }], 502, "server_error"],
    ["no content", [{ status: 204 }], 502, "server_error"],
  ] as [string, Script, number, string][])("%s", async (_, script, status, type) => {
    const { response, upstream } = await failed(script);
    expect(response.status).toBe(status);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(response.headers.get("x-should-retry")).toBe("false");
    const { error } = await response.json();
    expect(error.type).toBe(type);
    expect(error.message).not.toMatch(/timeout|timed out/i);
    expect(findTtftError({ headers: response.headers })?.message).toBe(error.message);
    expect(upstream.requests).toHaveLength(1);
  });

  test.each([
    ["anthropic-messages", "overloaded_error", "/v1/messages", { type: "error", error: { type: "overloaded_error" } }],
    ["gemini", "UNAVAILABLE", "/v1/models/g:streamGenerateContent", { error: { code: 503, status: "UNAVAILABLE" } }],
    ["openai-responses", "overloaded_error", "/v1/responses", { error: { type: "overloaded_error" } }],
  ])("in the words of %s", async (_, error, path, shape) => {
    const { fetch } = dropIn({ [ORIGIN]: [{ error }] });
    const response = await fetch(ORIGIN + path, chat());
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject(shape);
  });

  test("the one of the endpoint that failed last, even if another began after it", async () => {
    const clock = new VirtualClock();
    const { fetch } = dropIn(
      { [ORIGIN]: [{ waitMs: 500 }, { status: 429 }], "https://b.test": [{ status: 500 }] },
      { clock, primary: { origin: ORIGIN }, fallbacks: [backup], hedge: { afterMs: 100 } },
    );
    const response = fetch(CHAT, chat());
    await clock.runAll();
    expect((await response).status).toBe(429);
    expect((await (await response).json()).error.code ?? "rate_limit_error").toContain("rate_limit");
    expect((await response).url).toBe(CHAT);
  });

  test("a 429 says when to come back", async () => {
    const { response } = await failed([{ status: 429, headers: { "retry-after-ms": "1500" } }]);
    expect(response.headers.get("retry-after-ms")).toBe("1500");
    expect(findTtftError({ headers: response.headers })).toMatchObject({ retryAfterMs: 1500 });
  });

  test("an error body is kept up to its bound, whatever its length said", async () => {
    const { response } = await failed([
      { status: 500, body: "x".repeat(100_000), headers: { "content-length": "100000" } },
    ]);
    expect(response.headers.get("content-length")).toBe(null);
    expect((await response.text()).length).toBe(64 * 1024);
  });
});

describe("findTtftError", () => {
  test("finds ours through causes, last errors and cycles", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["Half", { end: "reset" }] });
    const { error: ours } = await readAll(await fetch(CHAT, chat()));
    expect(findTtftError(ours)).toBe(ours);
    expect(findTtftError(new Error("wrapped", { cause: new Error("again", { cause: ours }) }))).toBe(ours);
    expect(
      findTtftError(Object.assign(new Error("gave up", { cause: new Error("other") }), { lastError: { cause: ours } })),
    ).toBe(ours);
    expect(findTtftError(Object.assign(new Error("part"), { error: ours }))).toBe(ours);
    const cycle: { cause?: unknown } = {};
    cycle.cause = { cause: cycle };
    expect(findTtftError(cycle)).toBe(null);
  });

  test("finds the error behind a response by the headers that an SDK kept, in any of their shapes", async () => {
    const { response } = await failed([{ status: 503 }]);
    const { headers } = response;
    const found = findTtftError({ headers });
    expect(found).toMatchObject({ name: "CallError", code: "provider_unavailable", status: 503 });
    expect(findTtftError({ responseHeaders: Object.fromEntries(headers) })).toBe(found);
    expect(findTtftError({ response })).toBe(found);
    expect(findTtftError(new Error("outer", { cause: { headers } }))).toBe(found);
  });

  test("finds nothing where there is nothing", () => {
    for (const error of [
      null,
      undefined,
      "x",
      7,
      new Error("x"),
      { headers: { "x-ttft-call": "unknown" } },
      { headers: 1 },
    ])
      expect(findTtftError(error)).toBe(null);
  });

  test("remembers a bounded number of failures, the latest", async () => {
    const { fetch } = dropIn({ [ORIGIN]: [{ status: 400 }] });
    const headers: Headers[] = [];
    for (let calls = 0; calls < 257; calls++) headers.push((await fetch(CHAT, chat())).headers);
    expect(findTtftError({ headers: headers[0] })).toBe(null);
    expect(findTtftError({ headers: headers[1] })).toMatchObject({ status: 400 });
  });
});
