/** What became of a call, as a `Response`: an open answer, or an error that the receiver already knows how to read. */
import type { Failure } from "../base/failure.ts";
import type { CallRun } from "../route/run.ts";
import type { CallError } from "../turn/errors.ts";
import type { Turn } from "../turn/turn.ts";
import { callError } from "./answer.ts";
import { bodyOf } from "./body.ts";
import { turnOfRun } from "./stream.ts";

/** Which answer stands behind a `Response` of ours. */
const turns = new WeakMap<Response, Promise<Turn>>();
/** Errors behind error responses, by the id in their header: SDKs keep headers and drop everything else. */
const errors = new Map<string, CallError>();
const MOST_ERRORS = 256;
/** Carries the call's id on every response for an SDK. */
export const CALL_HEADER = "x-ttft-call";

/**
 * The turn behind a `Response` that came from `createFetch` or `client.response()`: the same `Turn` that
 * `stream.turn()` gives. Settles when the body ends. `null` for any other `Response`.
 * @example
 * const response = await client.response(body);
 * await response.text();
 * console.log((await turnOf(response))?.status); // → complete
 */
export function turnOf(response: Response): Promise<Turn> | null {
  return turns.get(response) ?? null;
}

/** Finds the error of a failed gate by the header that an SDK kept. */
export function errorByCall(callId: string | null | undefined): CallError | null {
  return (callId && errors.get(callId)) || null;
}

/** For an SDK: the serving endpoint's address, status and headers, less those that describe undecoded bytes. */
export function passedResponse(run: CallRun): Response {
  const upstream = run.serving?.response as Response;
  const { status, statusText, headers, url } = upstream;
  return withUrl(url, answering(run, { status, statusText, headers: ownCall(run, new Headers(headers)) }));
}

/** For a page: the provider's bytes, and nothing else from it. */
export function relayResponse(run: CallRun): Response {
  return answering(run, { headers: { "content-type": contentTypeOf(run), ...RELAYED } });
}

function answering(run: CallRun, init: ResponseInit): Response {
  const response = new Response(bodyOf(run), init);
  turns.set(
    response,
    run.ended.then(() => turnOfRun(run)),
  );
  return response;
}

/** What the bytes are, whatever they were called. */
function contentTypeOf({ serving }: CallRun): string {
  if (serving?.inspector?.isDocument) return "application/json";
  return serving?.setup.protocol.framing === "ndjson" ? "application/x-ndjson" : "text/event-stream; charset=utf-8";
}

/** Neither a cache nor a buffering proxy may keep an answer that is still being made. */
const RELAYED = { "cache-control": "no-store", "x-accel-buffering": "no" };

/** A failed gate, for an SDK: the last HTTP failure as it came, else one in the protocol's own shape. */
export function passedErrorResponse(run: CallRun): Response {
  const error = callError(run);
  // The last attempt to end need not be the last to begin.
  const answered = run.attempts.find(({ failure }) => failure === run.failure)?.answered;
  if (!answered || !isErrorStatus(answered.status)) return synthetic(run, remembered(run, error, new Headers()));
  const { status, statusText, body, url } = answered;
  const headers = remembered(run, error, new Headers(answered.headers));
  return withUrl(url, new Response(body as Uint8Array<ArrayBuffer>, { status, statusText, headers }));
}

/** A failed gate, for a page: the failure in the protocol's own shape, never the provider's response. */
export function relayErrorResponse(run: CallRun): Response {
  return synthetic(run, new Headers(RELAYED));
}

function synthetic(run: CallRun, headers: Headers): Response {
  const failure = run.failure as Failure;
  const { protocol } = run.call.chain[0] as CallRun["call"]["chain"][number];
  const body = protocol.errorBody?.(failure) ?? { error: { message: failure.message, type: failure.reason } };
  headers.set("content-type", "application/json");
  headers.set("x-should-retry", "false");
  if (failure.retryAfterMs !== null) headers.set("retry-after", String(Math.ceil(failure.retryAfterMs / 1_000)));
  const { status } = failure;
  return new Response(JSON.stringify(body), {
    status: status !== null && isErrorStatus(status) ? status : 502,
    headers,
  });
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
function withUrl(url: string, response: Response): Response {
  return Object.defineProperty(response, "url", { value: url, configurable: true });
}

const isErrorStatus = (status: number) => status >= 400 && status < 600;
