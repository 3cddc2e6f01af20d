/** Reading a response's head, and bodies that are not streams. */
import type { Clock } from "../base/clock.ts";
import { inBandError } from "../protocol/in-band-error.ts";
import type { ProviderError } from "./answer.ts";
import { type Reading, readRest } from "./read.ts";
import { letGo } from "./release.ts";

/** An error response, kept as it came (its body up to a bound): what a drop-in hands on when nothing else is left. */
export interface Answered {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly url: string;
  readonly body: Uint8Array;
}

/** How long an error body may take. */
const ERROR_BODY_MS = 250;

/** Reads what is needed of an error response and gives the rest back to the platform. */
export async function readAnswered(response: Response, clock: Clock, maxBytes: number): Promise<Answered> {
  const { status, statusText, headers, url } = response;
  const reader = response.body?.getReader();
  const rest = reader ? await readRest(reader, clock, maxBytes, ERROR_BODY_MS) : null;
  if (rest?.ended === false) void letGo(reader);
  return { status, statusText, headers, url, body: rest?.bytes ?? new Uint8Array() };
}

/** What the provider says in an error body; `null` if it says nothing that can be understood. */
export function errorIn(answered: Answered): { error: ProviderError | null; json: any } {
  const text = new TextDecoder().decode(answered.body);
  const json = parsed(text);
  const event = inBandError(Array.isArray(json) ? json[0] : json);
  if (event) {
    const { code = null, providerType = null, message } = event;
    return { error: { code, type: providerType, message }, json };
  }
  const words = typeof json === "string" ? json : (json?.message ?? json?.detail);
  const isPlain = mediaTypeOf(answered.headers) === "text/plain" && json === undefined;
  const message = typeof words === "string" ? words : isPlain ? text : "";
  return { error: message === "" ? null : { code: null, type: null, message }, json };
}

function parsed(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The content type without parameters; `null` if there is none, or one that no log should repeat. */
export function mediaTypeOf(headers: Headers): string | null {
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  return type !== undefined && /^[\w.+-]{1,64}\/[\w.+-]{1,64}$/.test(type) ? type : null;
}

const REQUEST_ID_HEADERS = ["x-request-id", "request-id", "x-ms-request-id", "apim-request-id", "x-infro-request-id"];

/** The provider's id of the request: the first header that has one. */
export function requestIdOf(headers: Headers, own: string | null): string | null {
  for (const name of own === null ? REQUEST_ID_HEADERS : [...REQUEST_ID_HEADERS, own]) {
    const id = headers.get(name);
    if (id) return id.slice(0, 128);
  }
  return null;
}

/** Some runtimes give a response without a stream: its body is read whole, and then taken in as one read. */
export async function readWhole(response: Response, clock: Clock, reading: Reading): Promise<void> {
  try {
    const text = await response.text();
    if (reading.over) return;
    const at = clock.now();
    if (text !== "") reading.chunk(new TextEncoder().encode(text), at);
    if (!reading.over) reading.closed(at);
  } catch (error) {
    if (!reading.over) reading.failed(error, clock.now());
  }
}
