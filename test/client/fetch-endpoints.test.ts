import { describe, expect, test } from "vitest";
import { createFetch } from "../../src/client/fetch.ts";
import type { FetchOptions } from "../../src/client/options.ts";
import { turnOf } from "../../src/client/relay.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { backup, CHAT, chat, dropIn, ORIGIN, readAll } from "./drop-in.ts";

const withBackup: FetchOptions = { primary: { origin: ORIGIN }, fallbacks: [backup] };
const hostsOf = ({ upstream }: ReturnType<typeof dropIn>) => upstream.requests.map(({ url }) => new URL(url).host);

describe("a retry", () => {
  test("sends the same bytes to the same address, even if the caller goes on to change what it gave", async () => {
    const clock = new VirtualClock();
    const sent: unknown[] = [];
    const headers = new Headers(chat().headers);
    const body = new TextEncoder().encode(`{ "stream" :true,"b":1.0, "n":12345678901234567890 }`);
    const text = new TextDecoder().decode(body);
    const fetch = createFetch({
      clock,
      random: () => 0.5,
      fetch: async (input, init) => {
        sent.push([input, init?.body, new Headers(init?.headers).get("authorization")]);
        return new Response(null, { status: 503 });
      },
    });
    const response = fetch(CHAT, chat({ body, headers }));
    body.fill(0);
    headers.set("authorization", "Bearer changed");
    await clock.runAll();
    expect((await response).status).toBe(503);
    expect(sent).toEqual(Array(3).fill([CHAT, text, "Bearer key-of-the-caller"]));
  });

  test("and a fallback are not for a body that is a stream: it is sent once, and its failure is the answer", async () => {
    const world = dropIn({ [ORIGIN]: [{ status: 503 }], "https://b.test": ["no"] }, { ...withBackup, retry: {} });
    const body = new Blob([chat().body as string]).stream();
    const response = await world.fetch(CHAT, chat({ body, duplex: "half" } as RequestInit));
    expect(response.status).toBe(503);
    expect(hostsOf(world)).toEqual(["a.test"]);
    expect(world.upstream.requests[0]?.body).toMatchObject({ stream: true });
  });

  test("a redirect cannot be followed with a body that is gone", async () => {
    const world = dropIn({ [ORIGIN]: [{ status: 307, headers: { location: "/v2/chat/completions" } }] });
    const body = new Blob([chat().body as string]).stream();
    const response = await world.fetch(CHAT, chat({ body, duplex: "half" } as RequestInit));
    expect(response.status).toBe(502);
    expect(world.upstream.requests).toHaveLength(1);
  });

  test("a body that is a stream is guarded like any other", async () => {
    const { fetch } = dropIn({ [ORIGIN]: ["Half", { end: "cut" }] });
    const response = await fetch(CHAT, chat({ body: new Blob(["{}"]).stream(), duplex: "half" } as RequestInit));
    expect((await readAll(response)).error).toMatchObject({ code: "closed_before_terminal" });
  });
});

describe("a fallback", () => {
  test("gets the caller's request with its own model, key and address, and of the headers only what holds no key", async () => {
    const fallback = {
      ...backup,
      model: "gpt-5-mini",
      body: { user: "us", top_p: undefined },
      headers: { "x-own": "1" },
    };
    const world = dropIn(
      { [ORIGIN]: [{ status: 503 }], "https://b.test": ["Hello"] },
      { ...withBackup, fallbacks: [fallback] },
    );
    const headers = {
      ...(chat().headers as object),
      accept: "text/event-stream",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "b1",
      "openai-beta": "b2",
      "api-key": "key-of-the-caller",
      "x-api-key": "key-of-the-caller",
      "x-goog-api-key": "key-of-the-caller",
      "cf-aig-authorization": "key-of-the-caller",
      "openai-organization": "org",
      cookie: "session=key-of-the-caller",
      "idempotency-key": "i1",
      traceparent: "00-1-2-03",
      "x-anything": "key-of-the-caller",
    };
    const init = {
      ...chat({ headers, credentials: "include", referrer: "https://page.test/" }, { top_p: 0.5, seed: 7 }),
    };
    const response = await world.fetch(`${CHAT}?key=key-of-the-caller`, init);
    await readAll(response);
    const [, second] = world.upstream.requests;
    expect(second?.url).toBe(backup.url);
    expect(second?.headers).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      "anthropic-version": "2023-06-01",
      "anthropic-beta": "b1",
      "openai-beta": "b2",
      authorization: `Bearer ${backup.apiKey}`,
      "x-own": "1",
    });
    const { messages } = JSON.parse(chat().body as string);
    expect(second?.body).toEqual({ model: "gpt-5-mini", messages, stream: true, seed: 7, user: "us" });
    expect(response.url).toBe(backup.url);
    expect(await turnOf(response)).toMatchObject({ endpoint: "backup", status: "complete" });
  });

  test("nothing of what the caller gave beside the request goes with it", async () => {
    const inits: RequestInit[] = [];
    const fetch = createFetch({
      ...withBackup,
      retry: { maxRetries: 0 },
      fetch: async (_, init = {}) => {
        inits.push(init);
        return new Response(null, { status: 503 });
      },
    });
    await fetch(CHAT, chat({ credentials: "include", referrer: "https://page.test/", integrity: "sha256-x" }));
    expect(Object.keys(inits[0] as object)).toEqual(expect.arrayContaining(["credentials", "referrer", "integrity"]));
    expect(Object.keys(inits[1] as object).sort()).toEqual(["body", "headers", "method", "redirect", "signal"]);
  });

  test("and its key are for calls to `primary.origin` alone", async () => {
    const others = [
      "https://tenant.test/v1/chat/completions",
      "https://a.test:8443/v1/chat/completions",
      "http://a.test/v1/chat/completions",
      "https://a.test.tenant.test/v1/chat/completions",
      "https://tenant.test//a.test/v1/chat/completions",
      "https://tenant.test/https://a.test/v1/chat/completions",
      "https://tenant.test/v1/chat/completions?x=https://a.test#https://a.test",
    ];
    for (const url of others) {
      const world = dropIn({ "/": [{ status: 503 }], "https://b.test": ["no"] }, withBackup);
      expect((await world.fetch(url, chat())).status).toBe(503);
      expect(hostsOf(world)).toEqual([new URL(url).host]);
    }
  });

  test.each([
    "https://a.test//b.test/v1/chat/completions",
    "https://a.test/x/../../v1/chat/completions",
    CHAT.toUpperCase().replace("/V1/CHAT/COMPLETIONS", "//evil.test/v1/chat/completions"),
  ])("goes to its own address, whatever the caller's path is: %s", async (url) => {
    const world = dropIn({ [ORIGIN]: [{ status: 503 }], "https://b.test": ["Hello"] }, withBackup);
    await readAll(await world.fetch(url, chat()));
    expect(world.upstream.requests[1]?.url).toBe(backup.url);
  });

  test("several origins may be the primary's", async () => {
    const world = dropIn(
      { "https://a2.test": [{ status: 503 }], "https://b.test": ["Hello"] },
      { ...withBackup, primary: { origin: [ORIGIN, "https://a2.test/"] } },
    );
    await readAll(await world.fetch("https://a2.test/v1/chat/completions", chat()));
    expect(hostsOf(world)).toEqual(["a2.test", "b.test"]);
  });

  test("that speaks another protocol is passed over, and said to be", async () => {
    const skipped: string[] = [];
    const claude = { name: "claude", protocol: "anthropic-messages", url: "https://c.test/v1/messages" } as const;
    const world = dropIn(
      { [ORIGIN]: [{ status: 503 }], "https://b.test": ["Hello"] },
      {
        ...withBackup,
        fallbacks: [claude, backup],
        observers: [{ skipped: (_, name, why) => void skipped.push(`${name}: ${why}`) }],
      },
    );
    await readAll(await world.fetch(CHAT, chat()));
    expect(hostsOf(world)).toEqual(["a.test", "b.test"]);
    expect(skipped).toEqual(["claude: protocol"]);
  });

  test("comes after silence, too, and after a stream that held nothing", async () => {
    for (const script of [
      [{ end: "hold" }],
      [{ end: "cut" }],
      [{ end: "reset" }],
      [{ error: "overloaded_error" }],
    ] as const) {
      const clock = new VirtualClock();
      const world = dropIn({ [ORIGIN]: script, "https://b.test": ["Hello"] }, { ...withBackup, clock });
      const response = world.fetch(CHAT, chat());
      await clock.runAll();
      expect((await readAll(await response)).text).toContain("Hello");
      expect(hostsOf(world)).toEqual(["a.test", "b.test"]);
      expect(clock.pending).toBe(0);
    }
  });

  test("never comes after output", async () => {
    const world = dropIn({ [ORIGIN]: ["Half", { end: "reset" }], "https://b.test": ["no"] }, withBackup);
    expect((await readAll(await world.fetch(CHAT, chat()))).error).toMatchObject({ code: "connection_lost" });
    expect(hostsOf(world)).toEqual(["a.test"]);
  });

  test("without `primary.origin` there is none", () => {
    expect(() => createFetch({ fallbacks: [backup] })).toThrow(/primary\.origin/);
  });
});

test("traits of `primary` hold for its origin only", async () => {
  const primary = { origin: ORIGIN, name: "mine", completion: "lenient" } as const;
  const script = ["Hi", { stop: "stop" }, { end: "cut" }] as const;
  for (const [url, endpoint, status] of [
    [CHAT, "mine", "complete"],
    ["https://other.test/v1/chat/completions", "other.test", "incomplete"],
  ] as const) {
    const { fetch } = dropIn({ "/": script }, { primary });
    const response = await fetch(url, chat());
    await readAll(response);
    expect(await turnOf(response)).toMatchObject({ endpoint, status });
  }
});
