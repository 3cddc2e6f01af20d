/** The same scripts for Mock Service Worker, in Node and in browsers, without importing it (docs/decisions/020-msw-handlers.md). */
import { systemClock } from "../base/clock.ts";
import { memoryResponse } from "./memory-response.ts";
import { RequestEntry } from "./request-log.ts";
import { Routes } from "./routes.ts";
import type { Ending, Scripts } from "./script.ts";

/** Faults of the payload: everything else needs a socket. */
const PLAYABLE: readonly Ending[] = ["cut", "hold"];

/** What msw 2.15.0 asks of a request handler; `__kind` is `kind` for earlier versions, which are not tested. */
interface Handler {
  readonly kind: "request";
  readonly __kind: "RequestHandler";
  readonly info: { readonly header: string };
  readonly isUsed: boolean;
  test(args: { readonly request: Request }): Promise<boolean>;
  run(args: { readonly request: Request; readonly requestId: string }): Promise<object | null>;
  log(): void;
  reset(): void;
  restore(): void;
}

/**
 * The same scripts as msw handlers: `setupServer(...mswHandlers(scripts))`, `setupWorker(…)`, `server.use(…)`.
 * Payload faults only: msw 2 cannot reset a socket or notice an abort after the headers, so `{ end: "reset" }`,
 * `"half_close"` and `"refuse"` are refused. Requests without a script fall through to msw's own handling.
 * `waitMs` takes real time.
 * @throws TypeError for a wrong script: the message names the place, the value and what is allowed.
 */
export function mswHandlers(scripts: Scripts): any[] {
  const routes = new Routes(scripts);
  for (const key of routes.keys) refuseSocketFaults(routes, key);
  const routed = (request: Request) => routes.keyOf(new URL(request.url)) !== null;
  const handler: Handler = {
    kind: "request",
    __kind: "RequestHandler",
    info: { header: `ttft scripts: ${routes.keys.join(", ")}` },
    isUsed: false,
    test: async ({ request }) => routed(request),
    async run({ request, requestId }) {
      if (!routed(request)) return null;
      return { handler, request, requestId, parsedResult: {}, response: await respond(routes, request) };
    },
    log() {},
    reset() {},
    restore() {},
  };
  return [handler];
}

async function respond(routes: Routes, request: Request): Promise<Response> {
  const clock = systemClock;
  const entry = new RequestEntry(request.url, Object.fromEntries(request.headers.entries()), clock.now());
  entry.read(await request.clone().text());
  const options = { clock, entry, chunkBytes: Infinity, signal: request.signal };
  // An abort while the headers stall: nobody waits for this response any more.
  return memoryResponse(routes.answer(entry), options).catch(() => Response.error());
}

function refuseSocketFaults(routes: Routes, key: string): void {
  for (const step of routes.scriptsOf(key).flat())
    if (typeof step === "object" && "end" in step && !PLAYABLE.includes(step.end))
      throw new TypeError(
        `scripts[${JSON.stringify(key)}]: msw cannot play { end: "${step.end}" }; use createStub, or scriptedFetch in memory`,
      );
}
