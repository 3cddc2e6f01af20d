/** Providers that do anything, and what a caller of a client over them saw: the material of the router's properties. */
import { getEventListeners } from "node:events";
import fc from "fast-check";
import type { Attempt, Observer } from "../../src/index.ts";
import { CallError, type Client, createClient, createHealth, type Health } from "../../src/index.ts";
import type { Script, Step } from "../../src/testing/script.ts";
import { scriptedFetch } from "../../src/testing/scripted-fetch.ts";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

/** Stands in a script for a text that tells which request is answered. */
const MARK = "<mark>";
const failures: readonly Script[] = [
  [{ end: "refuse" }],
  [{ status: 503 }],
  [{ status: 500 }],
  [{ status: 400 }],
  [{ status: 402 }],
  [{ status: 429, headers: { "retry-after-ms": "300" } }],
  [{ status: 409, headers: { "retry-after-ms": "40", "x-should-retry": "true" } }],
  [{ end: "hold" }],
  [{ end: "cut" }],
  [{ end: "reset" }],
  ["", { end: "hold" }],
  ["", { end: "cut" }],
  ["", { end: "reset" }],
  [{ error: "overloaded_error" }],
  ["", { error: "server_error" }],
  [{ send: "data: {oops\n\n" }],
];
const answers: readonly Script[] = [
  [MARK, MARK],
  [MARK, { waitMs: 700 }, MARK],
  [MARK, { end: "cut" }],
  [MARK, { end: "reset" }],
  [MARK, { error: "overloaded_error" }],
  [MARK, { end: "hold" }],
  [{ reasoning: "hm" }, { end: "reset" }],
  [{ stop: "length" }],
];

/** Sooner or later: one of the ways to fail, or to answer, or to begin to. */
const anyScript = fc
  .tuple(fc.constantFrom(...failures, ...answers), fc.constantFrom(0, 0, 30, 400, 2_500))
  .map(([script, waitMs]): Script => (waitMs > 0 ? [{ waitMs }, ...script] : script));

export const NAMES = ["a", "b", "c"] as const;
const SCRIPTS_EACH = 6;

export const anyWorld = fc.record({
  endpoints: fc.array(fc.array(anyScript, { minLength: SCRIPTS_EACH, maxLength: SCRIPTS_EACH }), {
    minLength: 1,
    maxLength: NAMES.length,
  }),
  maxRetries: fc.nat(3),
  beforeFallback: fc.nat(1),
  maxAttempts: fc.integer({ min: 1, max: 6 }),
  hedgeAfterMs: fc.constantFrom(null, 50, 300),
  firstTokenMs: fc.constantFrom(200, 1_000, 10_000),
  gateMs: fc.constantFrom(600, 2_000, 10_000),
  totalMs: fc.constantFrom(900, 3_000, 10_000),
  /** When the caller gives up, `null`: never. */
  abortAtMs: fc.constantFrom(null, null, 0, 35, 350, 1_500),
  form: fc.constantFrom("events" as const, "bytes" as const),
  /** When each call is made. */
  calls: fc.array(fc.constantFrom(0, 20, 800, 2_500), { minLength: 1, maxLength: 3 }),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
});
export type World = typeof anyWorld extends fc.Arbitrary<infer T> ? T : never;

/** What a call told its observers, in order. */
export interface Told {
  readonly what: "callStart" | "attemptStart" | "firstOutput" | "attemptEnd" | "callEnd";
  readonly at: number;
  readonly index?: number;
}

/** One call, when it is over. */
export interface Seen {
  readonly startedAt: number;
  readonly settledAt: number;
  /** All text that reached the consumer. */
  readonly text: string;
  readonly attempts: readonly Attempt[];
  readonly told: readonly Told[];
  /** Of ours on the caller's signal. */
  readonly listeners: number;
}

export interface Outcome {
  readonly calls: readonly Seen[];
  /** Timers left on the clock. */
  readonly pending: number;
  readonly clock: VirtualClock;
  readonly health: Health;
}

const addressOf = (name: string) => `https://${name}.test/v1/chat/completions`;
const endpointOf = (name: string) => ({ name, protocol: "openai-chat", url: addressOf(name) }) as const;

/** `a0;` is the text of the first request to `a`. */
const marked = (script: Script, mark: string): Step[] => script.map((step) => (step === MARK ? `${mark};` : step));

export async function play(world: World): Promise<Outcome> {
  const clock = new VirtualClock();
  const health = createHealth({ clock });
  const scripts = world.endpoints.map((list, at) => {
    const name = NAMES[at] as string;
    return [addressOf(name), list.map((script, nth) => marked(script, `${name}${nth}`))] as const;
  });
  const fetch = scriptedFetch(Object.fromEntries(scripts), { clock });
  const { maxRetries, beforeFallback, maxAttempts, hedgeAfterMs, firstTokenMs, gateMs, totalMs } = world;
  const client = createClient({
    endpoints: world.endpoints.map((_, at) => endpointOf(NAMES[at] as string)),
    retry: { maxRetries, beforeFallback, maxAttempts, baseDelayMs: 100 },
    breaker: { consecutiveFailures: 2, minSpanMs: 0, openMs: 500 },
    hedge: hedgeAfterMs === null ? false : { afterMs: hedgeAfterMs },
    limits: { firstTokenMs, gateMs, totalMs, idleMs: 1_000 },
    random: () => world.random,
    fetch,
    clock,
    health,
  });
  let running = world.calls.length;
  const calls = world.calls.map((delayMs) => startCall(world, client, clock, delayMs).finally(() => running--));
  while (running > 0) await clock.advance(100);
  // The bounded drain of the last call.
  await clock.advance(50);
  return { calls: await Promise.all(calls), pending: clock.pending, clock, health };
}

async function startCall(world: World, client: Client, clock: VirtualClock, delayMs: number): Promise<Seen> {
  await new Promise<void>((resolve) => void clock.after(delayMs, resolve));
  const startedAt = clock.now();
  const told: Told[] = [];
  const controller = new AbortController();
  const { abortAtMs } = world;
  const cancel = abortAtMs === null ? () => {} : clock.after(abortAtMs, () => controller.abort());
  const options = { signal: controller.signal, observers: [listener(told, clock)] };
  const read = world.form === "events" ? readEvents : readBytes;
  const { text, attempts } = await read(client, options);
  const settledAt = clock.now();
  cancel();
  return {
    startedAt,
    settledAt,
    text,
    attempts,
    told,
    listeners: getEventListeners(controller.signal, "abort").length,
  };
}

type Options = { readonly signal: AbortSignal; readonly observers: readonly Observer[] };
type Read = { readonly text: string; readonly attempts: readonly Attempt[] };

async function readEvents(client: Client, options: Options): Promise<Read> {
  let text = "";
  try {
    const stream = await client.stream({ messages: [] }, options);
    try {
      for await (const event of stream) if (event.type === "text") text += event.text;
    } catch {
      // The turn says why.
    }
    return { text, attempts: (await stream.turn()).attempts };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { text, attempts: error.attempts };
  }
}

async function readBytes(client: Client, options: Options): Promise<Read> {
  let bytes = "";
  let attempts: readonly Attempt[] = [];
  const recorder: Observer = {
    callEnd: (_, record) => {
      attempts = record.attempts;
    },
  };
  const observers = [...options.observers, recorder];
  try {
    const response = await client.response({ messages: [] }, { ...options, observers });
    const decoder = new TextDecoder();
    const reader = response.body?.getReader();
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      bytes += decoder.decode(read.value, { stream: true });
    }
  } catch {
    // Cut, or aborted: the record says which.
  }
  return { text: (bytes.match(/[abc]\d;/g) ?? []).join(""), attempts };
}

function listener(told: Told[], clock: VirtualClock): Observer {
  const tell =
    (what: Told["what"]) =>
    (info: object): void =>
      void told.push({ what, at: clock.now(), ...("index" in info && { index: info.index as number }) });
  return {
    callStart: tell("callStart"),
    attemptStart: tell("attemptStart"),
    firstOutput: tell("firstOutput"),
    attemptEnd: tell("attemptEnd"),
    callEnd: tell("callEnd"),
  };
}

/** Who answers a call that would take this endpoint first, now that everything works again. */
export async function whoServes({ health, clock }: Outcome, name: string): Promise<string> {
  const fetch = scriptedFetch({ "/": ["fine"] }, { clock });
  const endpoints = [endpointOf(name), endpointOf("spare")];
  const turn = createClient({ endpoints, health, clock, fetch }).turn({ messages: [] });
  await clock.advance(100);
  return (await turn).endpoint;
}
