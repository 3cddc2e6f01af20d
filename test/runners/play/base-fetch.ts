/** The base `fetch` of a case: the stub's or the platform's, bent as the case's world wants it. */
import type { Environment } from "../format.ts";
import type { Stub } from "../stub/script.ts";
import type { Undo } from "./environment.ts";

/** Told of every read of every response body. */
export interface ReadTap {
  reading(): void;
  read(chunk: Uint8Array | undefined): void;
}

/** `undefined`: the library shall look up the global one. */
export function baseFetch(
  env: Environment,
  stub: Stub,
  tap: ReadTap | null,
  undo: Undo,
): typeof globalThis.fetch | undefined {
  const bent = tap || env.fetchThis || env.noBody || env.wallClockJumpMs !== undefined || env.noStreamAsyncIterator;
  if (!bent) return stub.fetch;
  const inner = stub.fetch ?? globalThis.fetch;
  let jumped = false;
  return async function bentFetch(this: unknown, input, init) {
    if (env.fetchThis && this !== undefined && this !== globalThis) throw new TypeError("Illegal invocation");
    const response = await inner(input, init);
    if (env.wallClockJumpMs !== undefined && !jumped) jumpWallClock(env.wallClockJumpMs, undo);
    jumped = true;
    if (response.body && tap) tapReads(response.body, tap);
    if (response.body && env.noStreamAsyncIterator) hideIterator(response.body);
    return env.noBody ? withoutBody(response) : response;
  };
}

function jumpWallClock(byMs: number, undo: Undo): void {
  const now = Date.now;
  undo.set(Date, "now", () => now() + byMs);
}

/** Shadows `getReader` on this one stream. */
function tapReads(body: ReadableStream<Uint8Array>, tap: ReadTap): void {
  const getReader = body.getReader.bind(body) as (options?: any) => any;
  const tapped = (options?: object) => {
    const reader = getReader(options);
    const read = reader.read.bind(reader);
    reader.read = async (view?: unknown) => {
      tap.reading();
      const result = await read(view);
      tap.read(result.value);
      return result;
    };
    return reader;
  };
  Object.defineProperty(body, "getReader", { value: tapped });
}

function hideIterator(body: ReadableStream<Uint8Array>): void {
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined });
  Object.defineProperty(body, "values", { value: undefined });
}

/** As some mobile runtimes have it: no streams, only `text()`. */
function withoutBody(response: Response): Response {
  const { ok, status, statusText, headers, url, redirected, type } = response;
  const shape = { ok, status, statusText, headers, url, redirected, type, body: undefined };
  return { ...shape, text: () => response.text() } as unknown as Response;
}
