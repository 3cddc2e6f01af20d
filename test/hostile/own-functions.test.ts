/** Functions of the caller's that fail in the ways functions can: they cost what they are for, never the call. */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type CallOptions, type ClientOptions, createClient } from "../../src/index.ts";
import { BODY, clientBefore, DONE, HELLO, KEY, outcomeOf, streamed, watchRejections } from "./given.ts";

watchRejections();

const good = async () => streamed(HELLO + DONE);
const busy = async () => new Response("", { status: 503 });
const rejects: any = async () => {
  throw new Error("boom");
};
const throws: any = () => {
  throw new Error("boom");
};

it("a policy that gives a promise which rejects gets the default decision", async () => {
  const { client, clock } = clientBefore(busy, { policy: rejects });
  expect((await outcomeOf(client.turn(BODY), clock)).failure.httpStatus).toBe(503);
});

describe("an asynchronous `dispatch`", () => {
  it("may reject", async () => {
    const { client } = clientBefore(good, { observers: [{ dispatch: rejects }] });
    expect(await client.text(BODY)).toBe("hello");
  });

  it("may hand on a request that fails", async () => {
    const observers: ClientOptions["observers"] = [
      { dispatch: (async (_: unknown, __: unknown, next: any) => next()) as any },
    ];
    const { client, clock } = clientBefore(rejects, { observers });
    expect((await outcomeOf(client.turn(BODY), clock)).failure.reason).toBe("connection_failed");
  });
});

describe("a `random` that gives no number still lets a retry happen", () => {
  it.each<[string, any]>([
    ["throws", throws],
    ["NaN", () => Number.NaN],
    ["nothing", () => undefined],
    ["a text", () => "x"],
  ])("%s", async (_, random) => {
    const { client, clock } = clientBefore(busy, { random, retry: { maxRetries: 2 } });
    expect((await outcomeOf(client.turn(BODY), clock)).attempts).toHaveLength(3);
  });
});

it("a `body` function whose object cannot be read is a configuration failure that repeats nothing", async () => {
  const boom = () => {
    throw new Error(KEY);
  };
  const get = (_: object, name: string | symbol) => (name === "then" ? undefined : boom());
  const { client, clock } = clientBefore(good, { endpoint: { body: () => new Proxy({}, { get, ownKeys: boom }) } });
  const error = await outcomeOf(client.turn(BODY), clock);
  expect(error.code).toBe("configuration");
  expect(inspect(error, { showHidden: true, depth: 9 })).not.toContain(KEY);
});

it("a signal that could not be unlinked is refused at the door", async () => {
  const { client } = clientBefore(good);
  const signal = { aborted: false, addEventListener() {} } as unknown as CallOptions["signal"];
  await expect(client.turn(BODY, { signal })).rejects.toThrow(
    "`signal` is an object; allowed is an `AbortSignal`, or null",
  );
});

it.each(["policy", "observer"])("nothing more is sent once the %s has stopped the call", async (who) => {
  const controller = new AbortController();
  const stop = () => controller.abort(new Error("enough"));
  const sent: string[] = [];
  const endpoint = (name: string) => ({ name, protocol: "openai-chat" as const, url: `https://${name}.example/v1` });
  const client = createClient({
    endpoints: [endpoint("a"), endpoint("b")],
    fetch: async (url) => {
      sent.push(String(url));
      return new Response("", { status: 503 });
    },
    policy: () => {
      if (who === "policy") stop();
      return { action: "fallback" };
    },
    observers: [{ attemptEnd: () => void (who === "observer" && stop()) }],
  });
  const error = await client.turn(BODY, { signal: controller.signal }).catch((error) => error);
  expect([error.code, error.cause?.message]).toEqual(["aborted", "enough"]);
  expect(sent).toHaveLength(1);
});
