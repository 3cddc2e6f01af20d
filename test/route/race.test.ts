/** A second endpoint beside a silent first one: when it starts, who wins, and what becomes of the other. */
import { expect, test } from "vitest";
import { type ClientOptions, createClient, type Observer } from "../../src/index.ts";
import type { Script } from "../../src/testing/script.ts";
import { scriptedFetch } from "../../src/testing/scripted-fetch.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

const hostOf = (url: string) => new URL(url).host[0];

function race(scripts: Readonly<Record<string, Script | readonly Script[]>>, options: Partial<ClientOptions> = {}) {
  const clock = new VirtualClock();
  const told: string[] = [];
  const observer: Observer = {
    attemptStart: ({ endpoint, kind }) => void told.push(`${endpoint} ${kind} at ${clock.now()}`),
    attemptEnd: (_, { endpoint, outcome }) => void told.push(`${endpoint} ${outcome} at ${clock.now()}`),
    callEnd: (_, { attempts }) => void told.push(`end: ${attempts.map(({ outcome }) => outcome).join()}`),
  };
  const urls = Object.keys(scripts).map((name) => [`https://${name}.test/v1/chat/completions`, name] as const);
  const fetch = scriptedFetch(Object.fromEntries(urls.map(([url, name]) => [url, scripts[name] as Script])), { clock });
  const client = createClient({
    endpoints: urls.map(([url, name]) => ({ name, protocol: "openai-chat", url })),
    observers: [observer],
    random: () => 0.5,
    fetch,
    clock,
    ...options,
  });
  return { client, clock, told, asked: () => fetch.requests.map(({ url }) => hostOf(url)), requests: fetch.requests };
}

const silent: Script = ["", { end: "hold" }];
const body = { messages: [] };

test("the next starts after 30 s of silence, and the first may still win", async () => {
  const { client, clock, told, asked } = race({ a: [{ waitMs: 31_000 }, "slow"], b: [{ waitMs: 5_000 }, "b"] });
  const answer = client.text(body);
  await clock.runAll();
  expect(await answer).toBe("slow");
  expect(asked()).toEqual(["a", "b"]);
  expect(told).toEqual([
    "a initial at 0",
    "b hedge at 30000",
    "b hedge_lost at 31000",
    "a complete at 31000",
    "end: complete,hedge_lost",
  ]);
});

test("an endpoint that failed is not hedged while it waits for its retry", async () => {
  const { client, clock, asked } = race(
    { a: [[{ end: "refuse" }], ["again"]], b: ["b"] },
    { retry: { beforeFallback: 1, baseDelayMs: 100 }, hedge: { afterMs: 50 } },
  );
  const answer = client.text(body);
  await clock.runAll();
  expect(await answer).toBe("again");
  expect(asked()).toEqual(["a", "a"]);
});

test("a caller who gives up ends both, and the call after them", async () => {
  const { client, clock, told, requests } = race({ a: silent, b: silent }, { hedge: { afterMs: 20 } });
  const controller = new AbortController();
  const fails = expect(client.text(body, { signal: controller.signal })).rejects.toMatchObject({ code: "aborted" });
  await clock.advance(50);
  controller.abort();
  await clock.advance(50);
  await fails;
  expect(told.slice(2)).toEqual(["a aborted at 50", "b aborted at 50", "end: aborted,aborted"]);
  expect(requests.map(({ closedByClientMs }) => closedByClientMs)).toEqual([50, 50]);
  expect(clock.pending).toBe(0);
});

test("whoever fails in a race leaves it to the other", async () => {
  const { client, clock, told, asked } = race(
    { a: [{ waitMs: 300 }, "a after all"], b: [{ status: 503 }] },
    { hedge: { afterMs: 20 } },
  );
  const answer = client.text(body);
  await clock.runAll();
  expect(await answer).toBe("a after all");
  expect(asked()).toEqual(["a", "b"]);
  expect(told.at(-1)).toBe("end: complete,http_error");
});

test("a third is asked at once when the second fails, and after 10 s when it is silent and the credit is used up", async () => {
  const hedge = { afterMs: 20 };
  const failing = race({ a: silent, b: [{ status: 503 }], c: ["c"] }, { hedge });
  const silently = race({ a: silent, b: silent, c: ["c"] }, { hedge });
  for (const { client, clock } of [failing, silently]) {
    const answer = client.text(body);
    await clock.runAll();
    expect(await answer).toBe("c");
  }
  expect(failing.told).toContain("c fallback at 20");
  expect(silently.told).toContain("b hedge at 20");
  expect(silently.told).toContain("c hedge at 10020");
});

test("a call with tools that the provider runs is not doubled", async () => {
  const { client, clock, asked } = race({ a: [{ waitMs: 40_000 }, "a"], b: ["b"] });
  const answer = client.text({ ...body, tools: [{ type: "web_search" }] });
  await clock.runAll();
  expect(await answer).toBe("a");
  expect(asked()).toEqual(["a"]);
});
