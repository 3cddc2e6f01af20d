/** What a drop-in was called with: whether it is a streaming chat call, and what has to be known of it then. */
import { type Fields, isObject, type RequestSource } from "../attempt/body.ts";
import { entriesOf } from "../attempt/headers.ts";
import { onAbort } from "../base/on-abort.ts";
import { protocolAt, protocols } from "../protocol/builtins.ts";
import type { Protocol, ProtocolName } from "../protocol/protocol.ts";

export interface Incoming {
  readonly url: URL;
  readonly protocol: Protocol;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;
  readonly source: RequestSource;
  /** The body is a stream: it can be sent once, and its size is not known. */
  readonly once: boolean;
  /** What else was given to `fetch`, for the address it was given for. */
  readonly extraInit: object;
}

/** Of the caller's headers a fallback may see these: everything else can carry a key. */
const INHERITED = ["content-type", "accept", "anthropic-version", "anthropic-beta", "openai-beta"];

/**
 * `null` = not ours: to be handed on as it is. A promise only where a `Request` holds the body. `named`: the protocol
 * that the options name for an address; without one the path decides.
 */
export function readIncoming(
  input: string | URL | Request,
  init: RequestInit,
  named: (url: URL) => ProtocolName | Protocol | undefined,
): Incoming | null | Promise<Incoming | null> {
  const request = typeof input === "object" && input !== null && "url" in input ? input : null;
  const url = urlOf(request ? request.url : String(input));
  const method = init.method ?? request?.method ?? "GET";
  if (url === null || String(method).toUpperCase() !== "POST") return null;
  const name = named(url);
  const protocol = typeof name === "string" ? protocols[name] : (name ?? protocolAt(url));
  if (!protocol) return null;
  const headers = headersOf(init.headers ?? request?.headers);
  if (headers === null) return null;
  const signal = (init.signal === undefined ? request?.signal : init.signal) ?? null;
  const place = { url, protocol, headers, signal, isNamed: name !== undefined };
  const extra = { ...(request && traitsOf(request)), ...init };
  if (request && (init.body ?? null) === null) {
    // Some browsers give no `body` of a `Request`, only its bytes. A used one is the platform's to complain about.
    if (request.body === null || request.bodyUsed) return null;
    return bytesOf(request, signal).then((bytes) => withBody(place, bytes, extra));
  }
  return withBody(place, init.body, extra);
}

interface Place extends Pick<Incoming, "url" | "protocol" | "headers" | "signal"> {
  readonly isNamed: boolean;
}

function withBody({ isNamed, ...place }: Place, body: unknown, init: RequestInit): Incoming | null {
  const { method, headers, body: _, signal, redirect, ...extraInit } = init;
  if (isStream(body)) {
    const source = { body: {}, text: "", verbatim: true };
    return { ...place, source, once: true, extraInit: { duplex: "half", ...extraInit, body } };
  }
  const written = jsonIn(body);
  if (written === null || !asksForStream(place, written.fields, isNamed)) return null;
  const { fields, text } = written;
  const source = { body: fields, text, verbatim: true, inherited: inheritedOf(place.headers) };
  return { ...place, source, once: false, extraInit };
}

/** A copy is read, so that a `Request` which turns out not to be ours can be handed on. Rejects as soon as the caller aborts. */
function bytesOf(request: Request, signal: AbortSignal | null): Promise<ArrayBuffer> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const bytes = request.clone().arrayBuffer();
    const stop = signal ? onAbort(signal, () => reject(signal.reason)) : () => {};
    bytes.then(resolve, reject).then(stop);
  });
}

/** What HTTP does not allow is the platform's to complain about. */
function headersOf(headers: HeadersInit | undefined): Headers | null {
  try {
    return new Headers(headers);
  } catch {
    return null;
  }
}

/**
 * Gemini says it in the path, Ollama streams unless told otherwise, everybody else has a field for it. `/api/chat` is
 * also what many an app calls its own route: there a request of Ollama's is known by its model.
 */
function asksForStream(
  { url, protocol }: Pick<Incoming, "url" | "protocol">,
  { stream, model }: Fields,
  isNamed: boolean,
): boolean {
  if (protocol.request?.omit?.includes("stream")) return /:stream/i.test(url.pathname);
  if (stream !== undefined || protocol.framing !== "ndjson") return stream === true;
  return isNamed || typeof model === "string";
}

function inheritedOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(entriesOf(headers).filter(([name]) => INHERITED.includes(name)) as [string, string][]);
}

/** What a `Request` carries beside what every `fetch` is given. */
function traitsOf(request: Request): RequestInit {
  const { credentials, cache, integrity, keepalive, mode, referrer, referrerPolicy } = request;
  return { credentials, cache, integrity, keepalive, mode, referrer, referrerPolicy };
}

/** Known by the one method that is used of it: not every runtime has the class. */
function isStream(body: unknown): body is ReadableStream {
  return typeof (body as Partial<ReadableStream> | null | undefined)?.getReader === "function";
}

/** A text, or bytes that are one, if it is a JSON object. */
function jsonIn(body: unknown): { readonly text: string; readonly fields: Fields } | null {
  if (typeof body !== "string" && !(body instanceof ArrayBuffer) && !ArrayBuffer.isView(body)) return null;
  try {
    const text = typeof body === "string" ? body : UTF8.decode(body as ArrayBuffer);
    const fields: unknown = JSON.parse(text);
    return isObject(fields) ? { text, fields } : null;
  } catch {
    return null;
  }
}

/** Strict, for the text is sent again: whatever it would replace or drop must not be lost. */
const UTF8 = /* @__PURE__ */ new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Relative addresses belong to a page; where there is none, they are the platform's to complain about. */
function urlOf(address: string): URL | null {
  try {
    return new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    return null;
  }
}
