/** A script's acts as a `Response` in memory. */
import { Performance, type PerformanceOptions, type Stage } from "./perform.ts";
import type { Act } from "./play.ts";
import { refused, ScriptedBody } from "./scripted-body.ts";

const BODILESS = [204, 205, 304];

/** Resolves with the head. Rejects with `signal.reason`, or as `fetch` does when the connection is refused. */
export function memoryResponse(
  acts: Iterable<Act>,
  options: PerformanceOptions & { readonly signal?: AbortSignal | null | undefined },
): Promise<Response> {
  const { clock, entry, signal } = options;
  const performance = new Performance(options);
  return new Promise((resolve, reject) => {
    let over = false;
    const release = () => {
      over = true;
      performance.stop();
      signal?.removeEventListener("abort", onAbort);
    };
    const leave = () => {
      if (!over) entry.closed(clock);
      release();
    };
    // Until the body is read to its end, an abort still takes it away: as on a socket.
    const body = new ScriptedBody({ finished: release, cancelled: leave });
    const onAbort = () => {
      leave();
      reject(signal?.reason);
      body.fail(signal?.reason);
    };
    const stage: Stage = {
      head(status, headers) {
        const bodiless = BODILESS.includes(status);
        resolve(responseOf(bodiless ? null : body.stream, { status, headers }, entry.url));
        if (bodiless) release();
      },
      write: (bytes) => void body.push(bytes),
      end(how) {
        if (how === "hold") return;
        over = true;
        if (how !== "refuse") return body.end(how === "reset" ? "reset" : "clean");
        release();
        reject(refused());
      },
    };
    signal?.addEventListener("abort", onAbort);
    performance.run(acts, stage).catch((error: unknown) => {
      release();
      reject(error);
    });
  });
}

/** A constructed `Response` has no address, a fetched one has, and clients read it. */
const responseOf = (body: ReadableStream | null, init: ResponseInit, url: string): Response =>
  Object.defineProperty(new Response(body, init), "url", { value: url });
