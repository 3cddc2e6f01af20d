/** The same cases without a socket: a base `fetch` whose body gives one write per read and honours the signal. */
import type { Answer, CaseClient, Step, StreamCase } from "../format.ts";
import {
  answerTo,
  emptyLog,
  endpointOf,
  headersOf,
  type Stub,
  type StubLog,
  sleep,
  type Write,
  writesOf,
} from "./script.ts";

export function memoryStub(script: StreamCase): Stub {
  const log = emptyLog();
  return {
    base: "http://127.0.0.1:9",
    fetch: async (input, init = {}) => {
      const { url, signal } = requestOf(input, init);
      if (signal?.aborted) throw signal.reason;
      const scripted = answerTo(script, endpointOf(url), log);
      const abort = abortOf(signal);
      if (scripted.beforeHeadersMs) await Promise.race([sleep(scripted.beforeHeadersMs), abort.raised]);
      const body = bodyOf(scripted, script.client, log, abort);
      return new Response(body, { status: scripted.status, headers: headersOf(scripted) });
    },
    log: async () => structuredClone(log),
    close: async () => {},
  };
}

function requestOf(input: string | URL | Request, init: RequestInit) {
  if (input instanceof Request) return { url: input.url, signal: init.signal ?? input.signal };
  return { url: String(input), signal: init.signal ?? null };
}

interface Abort {
  /** Rejects with the reason; never resolves. */
  readonly raised: Promise<never>;
  readonly isRaised: () => boolean;
  unlink(): void;
}

function abortOf(signal: AbortSignal | null | undefined): Abort {
  let onAbort = () => {};
  const raised = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal?.reason);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
  raised.catch(() => {});
  return {
    raised,
    isRaised: () => signal?.aborted ?? false,
    unlink: () => signal?.removeEventListener("abort", onAbort),
  };
}

type Act = { readonly write: Write } | { readonly step: Step };

function* actsOf(scripted: Answer): Generator<Act> {
  for (const step of scripted.steps) {
    if (step.send === undefined && step.sendHex === undefined) yield { step };
    else for (const write of writesOf(step)) yield { write };
  }
}

/** A null-body status may not carry a body, not even an empty one. */
const bodiless = new Set([204, 205, 304]);

function bodyOf(scripted: Answer, client: CaseClient, log: StubLog, abort: Abort): ReadableStream<Uint8Array> | null {
  if (bodiless.has(scripted.status)) return null;
  const acts = actsOf(scripted);
  let gone = false;
  let release = () => {};
  const source: UnderlyingDefaultSource<Uint8Array> = {
    start: (controller) => void abort.raised.catch((reason) => controller.error(reason)),
    async pull(controller) {
      log.pulls++;
      for (;;) {
        const act = acts.next().value;
        if (act && "write" in act) {
          if (act.write.gapMs) await sleep(act.write.gapMs);
          if (!abort.isRaised() && !gone) controller.enqueue(act.write.bytes);
          return;
        }
        if (act?.step.delayMs) await sleep(act.step.delayMs);
        if (abort.isRaised() || gone) return;
        if (act?.step.delayMs) continue;
        if (act?.step.hold) return held();
        abort.unlink();
        if (act?.step.reset) controller.error(resetError());
        else if (act?.step.error) controller.error(bodyError(client));
        else controller.close();
        return;
      }
    },
    cancel() {
      gone = true;
      abort.unlink();
      release();
    },
  };
  const held = () =>
    new Promise<void>((resolve) => {
      release = resolve;
      abort.raised.catch(resolve);
    });
  return new ReadableStream(source, { highWaterMark: 0 });
}

/** What undici gives for a connection that was reset in the middle of a body. */
function resetError(): TypeError {
  const cause = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET" });
  return new TypeError("terminated", { cause });
}

function bodyError({ bodyError: wanted }: CaseClient): Error {
  const error = new TypeError(wanted?.message ?? "terminated", wanted?.cause ? { cause: wanted.cause } : undefined);
  if (wanted) Object.defineProperty(error, "name", { value: wanted.name });
  return error;
}
