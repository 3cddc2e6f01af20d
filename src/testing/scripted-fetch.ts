/** A `fetch` that plays scripts in memory, on any clock. */
import { type Clock, systemClock } from "../base/clock.ts";
import { memoryResponse } from "./memory-response.ts";
import { checkChunkBytes } from "./perform.ts";
import { RequestEntry, type StubRequest } from "./request-log.ts";
import { Routes } from "./routes.ts";
import type { Scripts } from "./script.ts";

export interface ScriptedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** In the order in which they came. */
  readonly requests: readonly StubRequest[];
}

/**
 * A `fetch` that answers from scripts. It behaves as the platform's does: it rejects with `signal.reason`, `reset` errors
 * the body with `TypeError: terminated` (cause `UND_ERR_SOCKET`), `refuse` rejects with `TypeError: fetch failed` (cause
 * `ECONNREFUSED`), `cut` and `half_close` end the body cleanly, `hold` never ends. It does not follow redirects.
 * A URL without a script gets a 404 that names it and lists what there is.
 * @param options `clock`: whose time `waitMs` takes, e.g. a `VirtualClock`; default real timers. `chunkBytes`: every write
 * is cut into chunks of that many bytes; default: one write, one chunk.
 * @throws TypeError for a wrong script: the message names the place, the value and what is allowed.
 */
export function scriptedFetch(
  scripts: Scripts,
  options: { readonly clock?: Clock | undefined; readonly chunkBytes?: number | undefined } = {},
): ScriptedFetch {
  const clock = options.clock ?? systemClock;
  const chunkBytes = checkChunkBytes(options.chunkBytes);
  const routes = new Routes(scripts);
  const requests: RequestEntry[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = typeof input === "object" && "url" in input ? input : null;
    const signal = init.signal === undefined ? request?.signal : init.signal;
    if (signal?.aborted) throw signal.reason;
    const entry = new RequestEntry(urlOf(input), headersOf(init.headers ?? request?.headers), clock.now());
    requests.push(entry);
    const body = init.body ?? request?.body;
    // A string is read at once, so that the log is whole when `fetch` returns.
    if (body) entry.read(typeof body === "string" ? body : await new Response(body).text());
    if (signal?.aborted) throw signal.reason;
    return memoryResponse(routes.answer(entry), { clock, chunkBytes, entry, signal });
  };
  return Object.assign(fetch, { requests });
}

/** Relative addresses are a page's; elsewhere they get a stand-in origin. */
function urlOf(input: string | URL | Request): string {
  const address = typeof input === "object" && "url" in input ? input.url : String(input);
  return new URL(address, globalThis.location?.href ?? "http://localhost").href;
}

const headersOf = (headers: HeadersInit | undefined): Record<string, string> =>
  Object.fromEntries(new Headers(headers).entries());
