/** What is sent: the caller's request with the endpoint's word over it, as JSON. */
import type { RequestShape } from "../protocol/protocol.ts";
import type { HeadersLike } from "./headers.ts";

/** Fields of a request in whatever protocol. */
export type Fields = Readonly<Record<string, any>>;

/** What one call asks of every endpoint, taken once: a retry sends the same even if the caller goes on to change it. */
export interface RequestSource {
  readonly body: Fields;
  /** The JSON of `body`. */
  readonly text: string;
  /** The call's, over the endpoint's. */
  readonly headers?: HeadersLike | undefined;
  /** Below the endpoint's: what a fallback may have of a foreign caller's. */
  readonly inherited?: HeadersLike | undefined;
  /** A request that somebody else wrote whole: nothing is set in it but the endpoint's `body` and `model`. */
  readonly verbatim?: boolean | undefined;
}

/** @throws TypeError for a body that cannot be written as JSON; the runtime's words may hold parts of it and are dropped. */
export function requestSource(body: object, more: Omit<RequestSource, "body" | "text"> = {}): RequestSource {
  const fields: Fields = "toJSON" in body && typeof body.toJSON === "function" ? body.toJSON() : body;
  const text = jsonOf(fields);
  if (text === undefined || !isObject(fields))
    throw new TypeError("`body` cannot be written as JSON; allowed is a JSON object");
  return { ...more, body: fields, text };
}

/**
 * A model reads about one token in four characters; exact only where the caller gives `promptTokens`. `null` for a body
 * that is a stream: its size cannot be told.
 */
export function estimatedPromptTokens({ text }: Pick<RequestSource, "text">): number | null {
  return text === "" ? null : Math.ceil(text.length / 4);
}

export interface BodyTarget {
  readonly model?: string | undefined;
  /** The protocol's part in it. */
  readonly shape: RequestShape | undefined;
  /** The endpoint's `body`, if it is an object. */
  readonly over: Fields | undefined;
  /** What the endpoint's `body` made of the request, if it is a function. */
  readonly instead: Fields | undefined;
}

export interface WrittenBody {
  /** `null` if it cannot be written as JSON. */
  readonly text: string | null;
  readonly model: string | null;
}

/** What is sent at one endpoint. */
export function writeBody(source: RequestSource, { model, shape, over, instead }: BodyTarget): WrittenBody {
  const base = instead ?? source.body;
  const set: Record<string, any> = source.verbatim ? {} : { stream: true };
  if (model !== undefined) set.model = model;
  const wanted = over?.model ?? set.model ?? base.model;
  const omitted = shape?.omit ?? [];
  for (const field of omitted) delete set[field];
  if (!source.verbatim) Object.assign(set, defaultsFor(base, shape, over ?? instead));
  const changes: Fields = { ...set, ...over };
  const text = instead === undefined ? appended(source, changes, omitted) : undefined;
  return {
    text: text ?? jsonOf({ ...without(base, omitted), ...changes }) ?? null,
    model: typeof wanted === "string" ? wanted : null,
  };
}

/** The protocol's own defaults, below what was written; the endpoint's word on a field is final. */
function defaultsFor(base: Fields, shape: RequestShape | undefined, said: Fields = {}): Fields {
  const set: Record<string, any> = {};
  for (const [field, value] of Object.entries(shape?.defaults ?? {})) {
    const written = base[field];
    if (Object.hasOwn(said, field) || (written !== undefined && !isObject(written))) continue;
    set[field] = { ...value, ...written };
  }
  return set;
}

/** Most requests only gain fields: then the JSON of a long history is not written a second time. */
function appended(source: RequestSource, changes: Fields, omitted: readonly string[]): string | undefined {
  if ([...Object.keys(changes), ...omitted].some((field) => Object.hasOwn(source.body, field))) return undefined;
  const more = jsonOf(changes);
  if (more === undefined || more === "{}") return more && source.text;
  return source.text === "{}" ? more : `${source.text.slice(0, -1)},${more.slice(1)}`;
}

/** A JSON object: neither an array nor a function. */
export function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function without(fields: Fields, omitted: readonly string[]): Fields {
  const kept = { ...fields };
  for (const field of omitted) delete kept[field];
  return kept;
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
