/** What the tests here share: one client before whatever `fetch` gives, and what ends the process elsewhere. */
import { afterEach, beforeEach, expect } from "vitest";
import { type Client, type ClientOptions, createClient } from "../../src/index.ts";
import { VirtualClock } from "../../src/testing.ts";

export const KEY = "sk-hostile-0123456789abcdef";
export const PROMPT = "a private sentence of more than thirty-two characters";
export const BODY = { messages: [{ role: "user", content: PROMPT }] };
export const HELLO = 'data: {"choices":[{"index":0,"delta":{"content":"hello"}}]}\n\n';
export const DONE = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

type Fetch = NonNullable<ClientOptions["fetch"]>;

/** `fetch` may give anything: nobody checks what a base fetch is. */
export function clientBefore(fetch: () => unknown, more: Partial<ClientOptions> & { endpoint?: object } = {}) {
  const clock = new VirtualClock();
  const { endpoint, ...options } = more;
  const client: Client = createClient({
    endpoints: [{ protocol: "openai-chat", url: "https://h.example/v1/chat/completions", apiKey: KEY, ...endpoint }],
    fetch: fetch as unknown as Fetch,
    retry: { maxRetries: 0 },
    clock,
    ...options,
  });
  return { client, clock };
}

export function streamed(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/event-stream" } });
}

/** What it came to, once time has run as far as anything waits for it. */
export async function outcomeOf(promise: Promise<unknown>, clock: VirtualClock): Promise<any> {
  const settled = promise.then(
    (value) => value,
    (error) => error,
  );
  await clock.runAll();
  return settled;
}

/** Every test of the file also asserts that no promise of ours rejected with nobody there. */
export function watchRejections(): void {
  const unheard: unknown[] = [];
  const hear = (reason: unknown) => unheard.push(reason);
  beforeEach(() => {
    process.on("unhandledRejection", hear);
  });
  afterEach(async () => {
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", hear);
    expect(unheard.splice(0)).toEqual([]);
  });
}
