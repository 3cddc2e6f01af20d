/** Consumers that leave in the middle, change what they gave, or ask about anything at all. */
import { expect, it } from "vitest";
import { createClient, findTtftError } from "../../src/index.ts";
import { BODY, clientBefore, DONE, HELLO, KEY, streamed, watchRejections } from "./given.ts";

watchRejections();

it("a pending `next()` that nobody awaits ends quietly with `return()`", async () => {
  const open = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(HELLO)) });
  const { client, clock } = clientBefore(async () => new Response(open));
  const stream = await client.stream(BODY);
  const events = stream[Symbol.asyncIterator]();
  await events.next();
  const [first, second] = [events.next(), events.next()];
  await events.return?.();
  expect(await Promise.all([first, second])).toEqual([
    { done: true, value: undefined },
    { done: true, value: undefined },
  ]);
  expect((await stream.turn()).status).toBe("incomplete");
  await stream.closed;
  expect(clock.pending).toBe(0);
});

it("one that stops is noticed in its time, however much the provider goes on to say", async () => {
  const { client, clock } = clientBefore(async () => {
    const pull = async (controller: ReadableStreamDefaultController) => {
      controller.enqueue(new TextEncoder().encode(HELLO));
      await new Promise<void>((resolve) => void clock.after(60_000, resolve));
    };
    return new Response(new ReadableStream({ pull }, { highWaterMark: 0 }));
  });
  const stream = await client.stream(BODY);
  await stream[Symbol.asyncIterator]().next();
  const closedAt = stream.closed.then(() => clock.now());
  await clock.advance(600_000);
  // From the second piece on there is something that nobody takes.
  expect(await closedAt).toBe(60_000 + 300_000);
  expect(stream.attempts[0]?.outcome).toBe("timeout_consumer");
});

it("options that are changed after the client was made change nothing", async () => {
  const endpoints = [{ protocol: "openai-chat", url: "https://h.example/v1/chat/completions", apiKey: KEY }] as const;
  const options = { endpoints, fetch: async () => streamed(HELLO + DONE) };
  const client = createClient(options);
  options.fetch = async () => new Response("", { status: 400 });
  expect(await client.text(BODY)).toBe("hello");
});

it("`findTtftError` answers for whatever was thrown", () => {
  const get = () => {
    throw new Error("no");
  };
  const circle: Record<string, unknown> = { headers: { get } };
  circle.cause = circle;
  for (const thrown of [null, 5, "x", circle, new Proxy({}, { get })]) expect(findTtftError(thrown)).toBeNull();
});
