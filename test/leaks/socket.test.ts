/** The same over real sockets and real timers: what is left on either side once the calls are over. */
import { channel } from "node:diagnostics_channel";
import type { ServerResponse } from "node:http";
import { afterAll, expect, test } from "vitest";
import { systemClock } from "../../src/base/clock.ts";
import type { Clock } from "../../src/index.ts";
import { createStub, type Scripts } from "../../src/testing.ts";
import { ANSWERS, type Answer } from "./answers.ts";
import { CALLERS } from "./callers.ts";
import { hearProcess } from "./process-noise.ts";
import { Ledger, pathOf } from "./stand.ts";

/** Real time whose timers are counted while they wait. */
class CountedClock implements Clock {
  readonly waiting = new Set<object>();
  now = systemClock.now;
  wallNow = systemClock.wallNow;

  after(ms: number, run: () => void): () => void {
    const timer = {};
    this.waiting.add(timer);
    const cancel = systemClock.after(ms, () => {
      this.waiting.delete(timer);
      run();
    });
    return () => {
      this.waiting.delete(timer);
      cancel();
    };
  }
}

/** Requests that any server of this process is busy with. */
class BusySockets {
  readonly responses = new Set<ServerResponse>();
  served = 0;
  readonly #started = channel("http.server.request.start");
  readonly #hear = (message: unknown) => {
    const { response } = message as { readonly response: ServerResponse };
    this.served++;
    this.responses.add(response);
    response.once("close", () => this.responses.delete(response));
  };

  constructor() {
    this.#started.subscribe(this.#hear);
  }

  stop(): void {
    this.#started.unsubscribe(this.#hear);
  }
}

const sockets = new BusySockets();
afterAll(() => sockets.stop());

const NAMES = Object.keys(CALLERS);
/** Every caller meets some answers, every answer some callers; together they meet within a second or two. */
const PAIRS = ANSWERS.flatMap((answer, at) =>
  [0, 1, 2, 3, 4].map((step) => ({ answer, name: NAMES[(at * 5 + step * 7) % NAMES.length] as string })),
);

/** Streams that nobody reads are let go by `consumerMs`: here that is soon. */
const hurried = (answer: Answer): Answer => {
  const limits = { consumerMs: 150, ...answer.options?.limits };
  return { ...answer, options: { ...answer.options, limits, retry: { maxRetries: 1 } } };
};

/** So many at a time that none waits for the processor. */
async function inTurn(calls: readonly (() => Promise<void>)[]): Promise<void> {
  const left = calls.values();
  const worker = async () => {
    for (const call of left) await call();
  };
  await Promise.all(Array.from({ length: 12 }, worker));
}

test("after calls over sockets no timer, listener, busy socket or rejection is left", async () => {
  const clock = new CountedClock();
  const ledger = new Ledger();
  const stopHearing = hearProcess();
  const at = (pair: number, endpoint: number) => `/c${pair}e${endpoint}`;
  const scripts: Scripts = Object.fromEntries(
    PAIRS.flatMap(({ answer }, pair) =>
      answer.scripts.map((script, nth) => [at(pair, nth) + pathOf(answer), script] as const),
    ),
  );
  const stub = await createStub(scripts);
  const calls = PAIRS.map(({ answer, name }, pair) => () => {
    const url = (endpoint: number, path: string) => stub.url(at(pair, endpoint) + path);
    return ledger.run(name, hurried(answer), { clock, url });
  });
  await inTurn(calls);
  // Streams that were left to themselves, the drain after a terminal event, and a close on its way to the server.
  await expect.poll(() => [clock.waiting.size, sockets.responses.size], { timeout: 10_000 }).toEqual([0, 0]);
  expect(ledger.surprises).toEqual([]);
  expect(ledger.listeners).toBe(0);
  expect(stopHearing()).toEqual([]);
  expect(ledger.started).toBeGreaterThanOrEqual(100);
  expect(ledger.ended).toBe(ledger.started);
  expect(sockets.served).toBeGreaterThan(100);
  const common = [
    "complete",
    "closed_before_terminal",
    "connection_lost",
    "connection_failed",
    "aborted",
    "http_error",
  ];
  expect([...ledger.outcomes.keys()]).toEqual(expect.arrayContaining(common));
  await stub.close();
}, 60_000);
