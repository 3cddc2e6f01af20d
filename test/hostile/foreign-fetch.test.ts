/** A base `fetch` that is no platform's: whatever it gives, a call settles at once and nothing is left over. */
import { describe, expect, it } from "vitest";
import { createClient, createFetch } from "../../src/index.ts";
import { BODY, clientBefore, DONE, HELLO, outcomeOf, streamed, watchRejections } from "./given.ts";

watchRejections();

const bytes = (text: string) => new TextEncoder().encode(text);
const headers = new Headers({ "content-type": "text/event-stream" });
const response = (more: object) => ({ status: 200, statusText: "", headers, url: "", type: "basic", ...more });
const body = (read: () => unknown, cancel: () => unknown = async () => {}) => ({ getReader: () => ({ read, cancel }) });
const silent = () => new Promise(() => {});
const throws = () => {
  throw new Error("boom");
};
function locked(status: number): Response {
  const response = new Response("x", { status });
  response.body?.getReader();
  return response;
}

describe("what is no response is a failed connection", () => {
  it.each<[string, () => unknown]>([
    ["nothing", () => undefined],
    ["a promise of nothing", async () => null],
    ["a text", async () => "hello"],
    ["a response without headers", async () => ({ status: 200, body: null })],
    ["plain headers", async () => response({ headers: {} })],
    ["headers that throw", async () => response({ headers: { get: throws } })],
    ["an error whose body is locked", async () => locked(500)],
  ])("%s", async (_, fetch) => {
    const { client, clock } = clientBefore(fetch);
    const error = await outcomeOf(client.turn(BODY), clock);
    expect(error.failure.reason).toBe("connection_failed");
    expect([clock.now(), clock.pending]).toEqual([0, 0]);
  });
});

describe("a body that cannot be read is a lost connection", () => {
  it.each<[string, () => unknown]>([
    ["locked", async () => locked(200)],
    ["its reader is refused", async () => response({ body: { getReader: throws } })],
    ["a read throws", async () => response({ body: body(throws) })],
    ["a read gives nothing", async () => response({ body: body(async () => undefined) })],
    ["a read gives a text", async () => response({ body: body(async () => ({ done: false, value: HELLO })) })],
    ["a read gives no value", async () => response({ body: body(async () => ({ done: false })) })],
  ])("%s", async (_, fetch) => {
    const { client, clock } = clientBefore(fetch);
    const error = await outcomeOf(client.turn(BODY), clock);
    expect(error.failure.reason).toBe("connection_lost");
    expect([clock.now(), clock.pending]).toEqual([0, 0]);
  });
});

describe("a body that cannot be cancelled is let go all the same", () => {
  it.each<[string, () => unknown]>([
    ["throws", throws],
    ["gives nothing", () => undefined],
    ["rejects", async () => throws()],
    ["never answers", silent],
  ])("%s", async (_, cancel) => {
    const { client, clock } = clientBefore(async () => response({ body: body(silent, cancel) }));
    const error = await outcomeOf(client.turn(BODY), clock);
    expect(error.failure.reason).toBe("timeout_first_token");
    expect(clock.pending).toBe(0);
  });

  it("also after its last event, and `closed` resolves", async () => {
    const reads = [bytes(HELLO + DONE)];
    const read = () => (reads.length > 0 ? { done: false, value: reads.shift() } : silent());
    const { client, clock } = clientBefore(async () => response({ body: body(read, throws) }));
    const stream = await client.stream(BODY);
    const turn = await outcomeOf(stream.turn(), clock);
    expect(turn.status).toBe("complete");
    await stream.closed;
  });

  it("a response that comes after the call has ended is no trouble, whatever it is", async () => {
    let give!: (value: unknown) => void;
    const { client, clock } = clientBefore(() => new Promise((resolve) => (give = resolve)));
    const error = await outcomeOf(client.turn(BODY), clock);
    give(undefined);
    expect(error.failure.reason).toBe("timeout_first_token");
  });
});

it("a drain ends although the body always has an empty read ready", async () => {
  const reads = [bytes(HELLO + DONE)];
  const read = async () => ({ done: false, value: reads.shift() ?? new Uint8Array() });
  const { client, clock } = clientBefore(async () => response({ body: body(read) }));
  const turn = await outcomeOf(client.turn(BODY), clock);
  expect([turn.status, turn.text]).toEqual(["complete", "hello"]);
});

it("a response that is given without a promise is taken", async () => {
  const { client } = clientBefore(() => streamed(HELLO + DONE));
  expect(await client.text(BODY)).toBe("hello");
});

it("a body that always has a read ready starves neither the limits nor whoever wants to stop it", async () => {
  const ping = bytes(": ping\n\n");
  const client = createClient({
    endpoints: [{ protocol: "openai-chat", url: "https://h.example/v1/chat/completions" }],
    fetch: async () => response({ body: body(async () => ({ done: false, value: ping })) }) as unknown as Response,
    retry: { maxRetries: 0 },
  });
  const ended = (promise: Promise<unknown>) => promise.then(null, (error) => error.failure.reason);
  expect(await ended(client.text(BODY, { limits: { firstTokenMs: 50 } }))).toBe("timeout_first_token");
  expect(await ended(client.text(BODY, { signal: AbortSignal.timeout(50) }))).toBe("aborted");
});

it("a body whose every read is large starves nobody, either", async () => {
  const ping = bytes(": ping\n\n".repeat(2 ** 17));
  let reads = 0;
  const read = async () => ({ done: ++reads === 2_000, value: ping });
  const client = createClient({
    endpoints: [{ protocol: "openai-chat", url: "https://h.example/v1/chat/completions" }],
    fetch: async () => response({ body: body(read) }) as unknown as Response,
    retry: { maxRetries: 0 },
  });
  const error = await client.text(BODY, { signal: AbortSignal.timeout(1) }).catch((error) => error);
  expect(error.code).toBe("aborted");
  expect(reads).toBeLessThan(1_000);
});

it("a response without headers to a request whose body is a stream is a failed connection, not a hang", async () => {
  const fetch = createFetch({ fetch: async () => ({ status: 200, body: null }) as unknown as Response });
  const sent = new ReadableStream({ start: (controller) => controller.close() });
  const init = { method: "POST", body: sent, duplex: "half" } as RequestInit;
  expect((await fetch("https://h.example/v1/chat/completions", init)).status).toBe(503);
});

it("a page instead of an answer is let go unread, also where nobody listens to the signal", async () => {
  let cancelled = 0;
  const page = new ReadableStream({ cancel: () => void cancelled++ });
  const { client, clock } = clientBefore(
    async () => new Response(page, { headers: { "content-type": "text/html; charset=utf-8" } }),
  );
  const error = await outcomeOf(client.turn(BODY), clock);
  expect([error.failure.reason, cancelled]).toEqual(["not_a_stream", 1]);
});

it("a response that comes when the call is over is let go", async () => {
  let cancelled = 0;
  const late = new ReadableStream({ cancel: () => void cancelled++ });
  let answer: (response: Response) => void = () => {};
  const { client } = clientBefore(() => new Promise<Response>((resolve) => (answer = resolve)));
  const controller = new AbortController();
  const ended = client.text(BODY, { signal: controller.signal }).catch((error) => error.failure.reason);
  answer(new Response(late));
  controller.abort();
  expect(await ended).toBe("aborted");
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(cancelled).toBe(1);
});
