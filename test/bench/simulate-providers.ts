/** Simulated providers behind a base `fetch`: first tokens, stalls, outages, quotas, as published or as set. */
import type { SimulationClock } from "./simulate-clock.ts";

/** Network there and back. */
const RTT_MS = 60;

/** What one request meets. */
export type Fate =
  | { readonly kind: "answer"; readonly firstTokenMs: number }
  /** Headers, and then nothing. */
  | { readonly kind: "stall" }
  /** Accepts, and not one byte. */
  | { readonly kind: "silence" }
  | { readonly kind: "refused" }
  | { readonly kind: "error"; readonly status: number; readonly retryAfter?: string };

/** Asked once per request. */
export type Provider = (now: number) => Fate;

/** Mulberry32: small, seeded, good enough. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const SIGMA = 0.6;
export const STALLS = 0.01;

/** Log-normal first token with this median, and one stall in a hundred. */
export function healthy(random: () => number, medianMs: number): Provider {
  return () => {
    if (random() < STALLS) return { kind: "stall" };
    const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    return { kind: "answer", firstTokenMs: medianMs * Math.exp(SIGMA * normal) };
  };
}

/** Serves at most so many requests a second, and one second's worth at once; the rest is told to come back in 1 s. */
export function limited(perSecond: number, inner: Provider): Provider {
  const most = Math.max(1, perSecond);
  let tokens = most;
  let last = 0;
  return (now) => {
    tokens = Math.min(most, tokens + ((now - last) / 1_000) * perSecond);
    last = now;
    if (tokens < 1) return { kind: "error", status: 429, retryAfter: "1" };
    tokens--;
    return inner(now);
  };
}

const encoder = new TextEncoder();
const ANSWER = encoder.encode(
  'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"Hi"}}]}\n\n' +
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
);
const STREAM = new Headers({ "content-type": "text/event-stream" });
const plainErrors = new Headers({ "content-type": "text/plain" });

/** A base `fetch` for `https://<name>.test/…`. Only as much of a `Response` as is read of one, since there are many. */
export function simulatedFetch(clock: SimulationClock, providers: Readonly<Record<string, Provider>>) {
  return (url: string, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const provider = providers[new URL(url).host.slice(0, -".test".length)] as Provider;
      const fate = provider(clock.now());
      const { signal } = init;
      const onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort);
      if (fate.kind === "silence") return;
      clock.after(RTT_MS, () => {
        if (signal?.aborted) return;
        signal?.removeEventListener("abort", onAbort);
        if (fate.kind === "refused") reject(refused());
        else resolve(responseTo(fate, url, signal, clock));
      });
    });
}

type Answering = Exclude<Fate, { kind: "silence" | "refused" }>;

function responseTo(fate: Answering, url: string, signal: RequestInit["signal"], clock: SimulationClock): Response {
  if (fate.kind !== "error") {
    const body = { getReader: () => new Reader(fate, signal, clock) };
    return { status: 200, statusText: "OK", headers: STREAM, url, type: "basic", body } as unknown as Response;
  }
  const { status, retryAfter } = fate;
  const headers = retryAfter === undefined ? plainErrors : new Headers({ "retry-after": retryAfter });
  return { status, statusText: "", headers, url, type: "basic", body: null } as unknown as Response;
}

type Read = { readonly value: Uint8Array | undefined; readonly done: boolean };

/** The whole answer comes with its first token: what follows it decides nothing here. */
class Reader {
  readonly #fate: Answering;
  readonly #signal: RequestInit["signal"];
  readonly #clock: SimulationClock;
  #answered = false;

  constructor(fate: Answering, signal: RequestInit["signal"], clock: SimulationClock) {
    this.#fate = fate;
    this.#signal = signal;
    this.#clock = clock;
  }

  read(): Promise<Read> {
    if (this.#answered) return Promise.resolve({ value: undefined, done: true });
    this.#answered = true;
    return new Promise((resolve, reject) => {
      const signal = this.#signal;
      const onAbort = () => reject(signal?.reason);
      signal?.addEventListener("abort", onAbort);
      if (this.#fate.kind !== "answer") return;
      this.#clock.after(this.#fate.firstTokenMs, () => {
        signal?.removeEventListener("abort", onAbort);
        resolve({ value: ANSWER, done: false });
      });
    });
  }

  cancel(): Promise<void> {
    return Promise.resolve();
  }
}

const refused = () => new TypeError("fetch failed", { cause: Object.assign(new Error(), { code: "ECONNREFUSED" }) });
