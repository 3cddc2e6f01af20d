/** What a caller may do with a call: read it whole, in part, not at all, or stop it at any moment. */
import { type Client, isTtftError, turnOf } from "../../src/index.ts";
import type { CountedController } from "./signals.ts";

/** One call that a caller may make. */
export interface Stand {
  readonly client: Client;
  /** The drop-in over the same endpoints. */
  readonly fetch: typeof fetch;
  readonly url: string;
  readonly body: object;
  /** One for many calls, never aborted. */
  readonly shared: AbortSignal;
  /** Counted as well. */
  controller(): CountedController;
  after(ms: number): Promise<void>;
}

export type Caller = (stand: Stand) => Promise<unknown>;

const open = ({ client, body, shared }: Stand) => client.stream(body, { signal: shared });

const post = ({ fetch, url, body }: Stand, signal: AbortSignal) => {
  const init = { method: "POST", body: JSON.stringify({ model: "m", messages: [], stream: true, ...body }) };
  return fetch(url, { ...init, headers: { "content-type": "application/json" }, signal });
};

const READ: Readonly<Record<string, Caller>> = {
  text: ({ client, body, shared }) => client.text(body, { signal: shared }),
  turn: ({ client, body, shared }) => client.turn(body, { signal: shared }),
  "no signal": ({ client, body }) => client.turn(body),
  async "for await, and its turn"(stand) {
    const stream = await open(stand);
    for await (const _ of stream);
    await stream.turn();
  },
  async "textStream, and turn() never awaited"(stand) {
    const stream = await open(stand);
    for await (const _ of stream.textStream()) void stream.turn();
  },
  async "text() beside an iteration"(stand) {
    const stream = await open(stand);
    const iteration = (async () => {
      for await (const _ of stream);
    })();
    await Promise.allSettled([stream.text(), iteration, stream.closed]);
  },
  async "several next() at once"(stand) {
    const iterator = (await open(stand))[Symbol.asyncIterator]();
    await Promise.allSettled(Array.from({ length: 20 }, () => iterator.next()));
    await iterator.return?.();
  },
  "turn() alone": async (stand) => (await open(stand)).turn(),
  "response() read": async ({ client, body, shared }) => (await client.response(body, { signal: shared })).text(),
  "drop-in read": async (stand) => (await post(stand, stand.shared)).text(),
  async "drop-in read, and its turn"(stand) {
    const response = await post(stand, stand.shared);
    await response.text().catch(() => {});
    await turnOf(response);
  },
};

const LEFT: Readonly<Record<string, Caller>> = {
  "a stream that nobody reads": open,
  async "break after the first event"(stand) {
    for await (const _ of await open(stand)) break;
  },
  async "return() before the first next()"(stand) {
    const iterator = (await open(stand))[Symbol.asyncIterator]();
    await iterator.return?.();
    await iterator.next();
  },
  async "return() during a pending next()"(stand) {
    const iterator = (await open(stand)).textStream()[Symbol.asyncIterator]();
    await iterator.next();
    await Promise.allSettled([iterator.next(), iterator.next(), iterator.return?.()]);
  },
  async "cancel() at once"(stand) {
    const stream = await open(stand);
    stream.cancel(new Error("not wanted"));
    await stream.closed;
  },
  async "cancel() during an iteration"(stand) {
    const stream = await open(stand);
    for await (const _ of stream) stream.cancel();
  },
  "response() not read": ({ client, body, shared }) => client.response(body, { signal: shared }),
  "response() cancelled": async ({ client, body, shared }) =>
    (await client.response(body, { signal: shared })).body?.cancel(),
  "drop-in not read": (stand) => post(stand, stand.shared),
  "drop-in cancelled": async (stand) => (await post(stand, stand.shared)).body?.cancel("enough"),
  async "drop-in cancelled during a read"(stand) {
    const reader = (await post(stand, stand.shared)).body?.getReader();
    await reader?.read();
    await Promise.allSettled([reader?.read(), reader?.cancel()]);
  },
};

/** Aborts it so much later, whatever it has come to. */
const stopped =
  (ms: number, call: (stand: Stand, signal: AbortSignal) => Promise<unknown>): Caller =>
  async (stand) => {
    const controller = stand.controller();
    const stop = stand.after(ms).then(() => controller.abort(new Error("stop button")));
    await Promise.allSettled([call(stand, controller.signal), stop]);
  };

const read = async ({ client, body }: Stand, signal: AbortSignal) => {
  for await (const _ of await client.stream(body, { signal }));
};

const ABORTED: Readonly<Record<string, Caller>> = {
  async "aborted before the call"(stand) {
    const controller = stand.controller();
    controller.abort();
    await Promise.allSettled([
      stand.client.text(stand.body, { signal: controller.signal }),
      stand.client.response(stand.body, { signal: controller.signal }),
      post(stand, controller.signal),
    ]);
  },
  async "aborted in the same turn of the loop"(stand) {
    const controller = stand.controller();
    const call = stand.client.turn(stand.body, { signal: controller.signal });
    controller.abort();
    await call;
  },
  "aborted while it is held": stopped(5, read),
  "aborted during the answer": stopped(15, read),
  "aborted during a wait before a retry": stopped(400, ({ client, body }, signal) => client.text(body, { signal })),
  "aborted, and nobody read": stopped(15, ({ client, body }, signal) => client.stream(body, { signal })),
  "drop-in aborted while it is held": stopped(5, async (stand, signal) => (await post(stand, signal)).text()),
  "drop-in aborted during the answer": stopped(15, async (stand, signal) => (await post(stand, signal)).text()),
  async "aborted after the end"(stand) {
    const controller = stand.controller();
    await stand.client.turn(stand.body, { signal: controller.signal }).catch(() => {});
    controller.abort();
  },
};

export const CALLERS: Readonly<Record<string, Caller>> = { ...READ, ...LEFT, ...ABORTED };

/** Whether a call's end is one that its caller was promised: anything else is a bug. */
export function isExpected(error: unknown): boolean {
  return isTtftError(error) || (error instanceof Error && error.message === "stop button");
}
