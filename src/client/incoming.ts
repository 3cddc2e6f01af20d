/** What a drop-in was called with: whether it is a streaming chat call, and what has to be known of it then. */
import { isObject, type RequestSource } from "../attempt/body.ts";
import { entriesOf } from "../attempt/headers.ts";
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
 * `null` = not ours: to be handed on as it is. A promise only where a `Request` holds the body. `named` is the protocol
 * that the options name; without one the path decides.
 */
export function readIncoming(
  input: string | URL | Request,
  init: RequestInit,
  named: ProtocolName | Protocol | undefined,
): Incoming | null | Promise<Incoming | null> {
  const request = typeof input === "object" && "url" in input ? input : null;
  const url = urlOf(request ? request.url : String(input));
  const method = init.method ?? request?.method ?? "GET";
  if (url === null || method.toUpperCase() !== "POST") return null;
  const protocol = typeof named === "string" ? protocols[named] : (named ?? protocolAt(url));
  if (!protocol) return null;
  const headers = headersOf(init.headers ?? request?.headers);
  if (headers === null) return null;
  const signal = (init.signal === undefined ? request?.signal : init.signal) ?? null;
  const place = { url, protocol, headers, signal };
  if (init.body === undefined && request?.body) {
    return request
      .clone()
      .arrayBuffer()
      .then((bytes) => withBody(place, bytes, { ...traitsOf(request), ...init }));
  }
  return withBody(place, init.body, { ...(request && traitsOf(request)), ...init });
}

type Place = Pick<Incoming, "url" | "protocol" | "headers" | "signal">;

function withBody(place: Place, body: unknown, init: RequestInit): Incoming | null {
  const { method, headers, body: _, signal, redirect, ...extraInit } = init;
  if (body instanceof ReadableStream) {
    const source = { body: {}, text: "", verbatim: true };
    return { ...place, source, once: true, extraInit: { duplex: "half", ...extraInit, body } };
  }
  const text =
    typeof body === "string" ? body : isBytes(body) ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(body) : null;
  const fields = text === null ? null : fieldsOf(text);
  if (text === null || fields === null || !asksForStream(place, fields)) return null;
  const source = { body: fields, text, verbatim: true, inherited: inheritedOf(place.headers) };
  return { ...place, source, once: false, extraInit };
}

/** What HTTP does not allow is the platform's to complain about. */
function headersOf(headers: HeadersInit | undefined): Headers | null {
  try {
    return new Headers(headers);
  } catch {
    return null;
  }
}

/** Gemini says it in the path, Ollama streams unless told otherwise, everybody else has a field for it. */
function asksForStream({ url, protocol }: Place, fields: Readonly<Record<string, unknown>>): boolean {
  if (protocol.request?.omit?.includes("stream")) return /:stream/i.test(url.pathname);
  return fields.stream === true || (protocol.framing === "ndjson" && fields.stream !== false);
}

function inheritedOf(headers: Headers): Record<string, string> {
  return Object.fromEntries(entriesOf(headers).filter(([name]) => INHERITED.includes(name)) as [string, string][]);
}

/** What a `Request` carries beside what every `fetch` is given. */
function traitsOf({ credentials, cache, integrity, keepalive, referrerPolicy }: Request): RequestInit {
  return { credentials, cache, integrity, keepalive, referrerPolicy };
}

function isBytes(body: unknown): body is ArrayBuffer | ArrayBufferView<ArrayBuffer> {
  return body instanceof ArrayBuffer || ArrayBuffer.isView(body);
}

function fieldsOf(text: string): Readonly<Record<string, any>> | null {
  try {
    const json: unknown = JSON.parse(text);
    return isObject(json) ? json : null;
  } catch {
    return null;
  }
}

/** Relative addresses belong to a page; where there is none, they are the platform's to complain about. */
function urlOf(address: string): URL | null {
  try {
    return new URL(address, globalThis.document?.baseURI ?? globalThis.location?.href);
  } catch {
    return null;
  }
}
