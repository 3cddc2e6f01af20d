/** A drop-in over a scripted network, and a reader that keeps what a body gave, chunk by chunk. */
import { createFetch } from "../../src/client/fetch.ts";
import type { FetchOptions } from "../../src/client/options.ts";
import type { Scripts } from "../../src/testing/script.ts";
import { type ScriptedFetch, scriptedFetch } from "../../src/testing/scripted-fetch.ts";
import type { VirtualClock } from "../../src/testing/virtual-clock.ts";

export const CHAT = "https://a.test/v1/chat/completions";
export const ORIGIN = "https://a.test";

export const backup = {
  name: "backup",
  protocol: "openai-chat",
  url: "https://b.test/prefix/v1/chat/completions?tier=2",
  apiKey: "key-of-the-backup",
} as const;

/** What an SDK gives to `fetch` for a streaming chat call. */
export function chat(more: RequestInit = {}, fields: object = {}): RequestInit {
  return {
    method: "POST",
    headers: { "content-type": "application/json", authorization: "Bearer key-of-the-caller" },
    body: JSON.stringify({ model: "gpt-5", messages: [{ role: "user", content: "Hi" }], stream: true, ...fields }),
    ...more,
  };
}

export interface DropIn {
  readonly fetch: typeof globalThis.fetch;
  readonly upstream: ScriptedFetch;
}

/** No retries and no hedge unless `options` say so, so that each test sees the one thing it is about. */
export function dropIn(scripts: Scripts, options: FetchOptions = {}, chunkBytes?: number): DropIn {
  const upstream = scriptedFetch(scripts, { clock: options.clock as VirtualClock | undefined, chunkBytes });
  const quiet = { retry: { maxRetries: 0 }, hedge: false, random: () => 0.5 } as const;
  return { upstream, fetch: createFetch({ fetch: upstream, ...quiet, ...options }) };
}

/** A base `fetch` whose one answer is these chunks, as they are. */
export function answering(chunks: readonly Uint8Array[], init: ResponseInit = {}): typeof globalThis.fetch {
  return async () => {
    const left = [...chunks];
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const chunk = left.shift();
          if (chunk) controller.enqueue(chunk);
          else controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream" }, ...init });
  };
}

export interface ReadBody {
  readonly chunks: readonly Uint8Array[];
  readonly text: string;
  /** What the body ended with; `undefined` for a clean end. */
  readonly error: unknown;
}

export async function readAll(response: Response): Promise<ReadBody> {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  const chunks: Uint8Array[] = [];
  let error: unknown;
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) chunks.push(read.value);
  } catch (thrown) {
    error = thrown;
  }
  return { chunks, error, text: Buffer.concat(chunks).toString() };
}

export const sliced = (bytes: Uint8Array, size: number): Uint8Array[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.slice(at * size, (at + 1) * size));
