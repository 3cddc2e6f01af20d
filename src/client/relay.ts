/** An open answer as a `Response`: the provider's bytes as they came, and an end that tells whether they are all. */
import type { Failure } from "../base/failure.ts";
import type { CallRun } from "../route/run.ts";
import { type CallError, IncompleteTurnError } from "../turn/errors.ts";
import type { Turn } from "../turn/turn.ts";
import { callError } from "./answer.ts";
import { turnOfRun } from "./stream.ts";

/** Which answer stands behind a `Response` of ours. */
const turns = new WeakMap<Response, Promise<Turn>>();
/** Errors behind error responses, by the id in their header: SDKs keep headers and drop everything else. */
const errors = new Map<string, CallError>();
const MOST_ERRORS = 256;
const CALL_HEADER = "x-ttft-call";

/**
 * The turn behind a `Response` that came from `createFetch` or `client.response()`: the same `Turn` that
 * `stream.turn()` gives. Settles when the body ends. `null` for any other `Response`.
 */
export function turnOf(response: Response): Promise<Turn> | null {
  return turns.get(response) ?? null;
}

/** Finds the error of a failed gate by the header that an SDK kept. */
export function errorByCall(callId: string | null | undefined): CallError | null {
  return (callId && errors.get(callId)) || null;
}

/** `headers`: what the receiver sees of the answer's. */
export function answerResponse(run: CallRun, headers: Headers): Response {
  const upstream = run.serving?.response as Response;
  const response = new Response(bodyOf(run), { status: upstream.status, statusText: upstream.statusText, headers });
  const ended = run.ended.then(() => turnOfRun(run));
  turns.set(response, ended);
  return at(upstream.url, response);
}

/** The serving endpoint's own headers, less what described bytes that were decoded meanwhile. */
export function passedHeaders(run: CallRun): Headers {
  return ownCall(run, new Headers(run.serving?.response?.headers));
}

/** For a page: nothing of the provider's but the content type. */
export function relayHeaders(run: CallRun): Headers {
  const type = run.serving?.response?.headers.get("content-type") ?? "text/event-stream";
  return new Headers({ "content-type": type, "cache-control": "no-store", "x-accel-buffering": "no" });
}

/** A failed gate: the last HTTP failure as it came, else one that says the same in the protocol's own shape. */
export function failedResponse(run: CallRun, passOn: boolean): Response {
  const error = callError(run);
  const answered = passOn ? run.attempts.at(-1)?.answered : null;
  const isLast = answered && run.failure?.httpStatus === answered.status;
  if (!answered || !isLast || !mayHaveBody(answered.status)) return synthetic(run, error, passOn);
  const { status, statusText, body, url } = answered;
  const headers = remembered(run, error, new Headers(answered.headers));
  return at(url, new Response(body as Uint8Array<ArrayBuffer>, { status, statusText, headers }));
}

function synthetic(run: CallRun, error: CallError, passOn: boolean): Response {
  const failure = run.failure as Failure;
  const { protocol } = run.call.chain[0] as CallRun["call"]["chain"][number];
  const body = protocol.errorBody?.(failure) ?? { error: { message: failure.message, type: failure.reason } };
  const headers = new Headers({ "content-type": "application/json" });
  if (failure.retryAfterMs !== null) headers.set("retry-after", String(Math.ceil(failure.retryAfterMs / 1_000)));
  if (passOn) remembered(run, error, headers);
  headers.set("x-should-retry", "false");
  const { status } = failure;
  return new Response(JSON.stringify(body), {
    status: status !== null && status >= 400 && status < 600 ? status : 502,
    headers,
  });
}

function bodyOf(run: CallRun): ReadableStream<Uint8Array> {
  const serving = run.serving;
  let left = false;
  const give = (controller: ReadableStreamDefaultController<Uint8Array>): void | Promise<void> => {
    if (left) return;
    const piece = serving?.take() as Uint8Array | undefined;
    if (piece !== undefined) controller.enqueue(piece);
    else if (!run.over)
      return new Promise<void>((resolve) => serving?.outlet?.whenReady(resolve)).then(() => give(controller));
    if (!run.over || !serving?.outlet?.empty) return;
    const cut = cutOf(run);
    // An error waits for the next pull: now it would throw away what was just put in.
    if (cut === null) controller.close();
    else if (piece === undefined) controller.error(cut.error);
  };
  const cancel = (reason: unknown) => {
    left = true;
    run.abort(reason);
  };
  return new ReadableStream({ pull: give, cancel }, { highWaterMark: 0 });
}

/** What the body ends with: nothing where the provider ended it, the caller's own reason for the caller's own abort. */
function cutOf(run: CallRun): { readonly error: unknown } | null {
  const turn = turnOfRun(run);
  if (turn.status === "complete" || turn.terminal) return null;
  const { signal } = run.call;
  if (turn.reason === "aborted" && signal?.aborted) return { error: signal.reason };
  return { error: new IncompleteTurnError(turn) };
}

function remembered(run: CallRun, error: CallError, headers: Headers): Headers {
  const oldest = errors.size >= MOST_ERRORS ? errors.keys().next().value : undefined;
  if (oldest !== undefined) errors.delete(oldest);
  errors.set(error.callId, error);
  headers.set("x-should-retry", "false");
  return ownCall(run, headers);
}

function ownCall(run: CallRun, headers: Headers): Headers {
  for (const name of [...headers.keys()]) if (name.startsWith("x-ttft-")) headers.delete(name);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) headers.delete(name);
  headers.set(CALL_HEADER, run.call.info.callId);
  return headers;
}

/** A constructed `Response` has no address of its own, and SDKs show it. */
function at(url: string, response: Response): Response {
  return Object.defineProperty(response, "url", { value: url, configurable: true });
}

const mayHaveBody = (status: number) => status >= 400 && status < 600;
