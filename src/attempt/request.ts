/**
 * Builds what `fetch` gets at one endpoint: address, headers and body from the endpoint's options and the call's. The
 * first step of an attempt; comes before `fetch`. Nothing here throws, and no failure repeats a value.
 */
import type { Protocol } from "../protocol/protocol.ts";
import type { AttemptKind } from "../turn/record.ts";
import { type Address, addressFor } from "./address.ts";
import { type Fields, isObject, type RequestSource, writeBody } from "./body.ts";
import { buildHeaders, entriesOf, type HeadersLike } from "./headers.ts";

export interface AttemptContext {
  readonly callId: string;
  readonly endpoint: string;
  readonly index: number;
  readonly kind: AttemptKind;
  /** Aborted with the attempt: pass it to your token refresh. */
  readonly signal: AbortSignal;
}

/** A value, or a function of the attempt that gives it. */
export type PerAttempt<Value> = Value | ((attempt: AttemptContext) => Value | Promise<Value>);

/** What a request needs of an endpoint. */
export interface RequestTarget {
  readonly name: string;
  readonly protocol: Protocol;
  readonly address: Address;
  readonly apiKey?: PerAttempt<string> | undefined;
  readonly model?: string | undefined;
  readonly headers?: PerAttempt<HeadersLike> | undefined;
  readonly body?: Fields | ((request: any, attempt: AttemptContext) => object | Promise<object>) | undefined;
  /** What goes there was written whole by somebody else: nothing is added to its headers or taken from its body. */
  readonly verbatim?: boolean | undefined;
}

/** Kept per endpoint for the whole call: a retry sends the same bytes. Never public: it holds the key. */
export interface PreparedRequest {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
  /** As it stands in body or address. */
  readonly model: string | null;
}

/** Why nothing can be sent: the reason `configuration`. */
export interface ConfigurationFault {
  readonly message: string;
  /** The error of the caller's own function, as it was thrown; otherwise nothing. */
  readonly cause: unknown;
}

export type Preparation =
  | { readonly ok: true; readonly request: PreparedRequest }
  /** `fault` is `null` if the attempt was aborted while a function of the endpoint ran. */
  | { readonly ok: false; readonly fault: ConfigurationFault | null };

/** At once where no function of the endpoint gives a promise; otherwise settled as soon as the attempt is aborted. */
export function prepareRequest(
  target: RequestTarget,
  source: RequestSource,
  context: AttemptContext,
): Preparation | Promise<Preparation> {
  const answers = [
    ask(target, "apiKey", [context]),
    ask(target, "headers", [context]),
    ask(target, "body", [source.body, context]),
  ];
  if (!answers.some((answer) => answer instanceof Promise)) return assemble(target, source, answers as Answer[]);
  return untilAborted(Promise.all(answers), context.signal).then((settled) =>
    settled === null ? { ok: false, fault: null } : assemble(target, source, settled),
  );
}

/** What `fetch` is called with. `added` is what observers put beside our headers, never over them. */
export function requestInit(request: PreparedRequest, signal: AbortSignal, added?: Headers): RequestInit {
  let headers = request.headers;
  if (added) {
    headers = new Headers(added);
    for (const [name, value] of entriesOf(request.headers)) headers.set(name, value as string);
  }
  // A runtime that follows a redirect to another origin takes most keys and the prompt along.
  return { method: "POST", headers, body: request.body, redirect: "manual", signal };
}

/** Every value by which an echo of what was sent can be recognised, for `redactProviderMessage` and `scrubCause`. */
export function sentValues(url: URL, headers: HeadersLike): string[] {
  const values = [...url.searchParams.values()];
  for (const [name, value] of entriesOf(headers)) {
    if (value !== undefined && !/^(content-type|accept|user-agent)$/i.test(name)) values.push(value);
  }
  const found = new Set<string>();
  for (const value of values) {
    // `Bearer <key>` and `session=<key>` come back without what stands before the key.
    for (const part of [value, ...value.split(/[\s,;=]+/)])
      if (part.length >= 8) found.add(part).add(encodeURIComponent(part));
  }
  return [...found];
}

type Part = "apiKey" | "headers" | "body";
type Answer = { readonly value: unknown } | { readonly fault: ConfigurationFault };

function ask(target: RequestTarget, part: Part, given: unknown[]): Answer | Promise<Answer> {
  const value: unknown = target[part];
  if (typeof value !== "function") return { value };
  const failed = (cause: unknown): Answer => ({ fault: faultOf(target, `its \`${part}\` function failed`, cause) });
  try {
    const answer = value(...given);
    return typeof answer?.then === "function"
      ? Promise.resolve(answer).then((value) => ({ value }), failed)
      : { value: answer };
  } catch (cause) {
    return failed(cause);
  }
}

function assemble(target: RequestTarget, source: RequestSource, answers: readonly Answer[]): Preparation {
  try {
    return built(target, source, answers);
  } catch {
    // A getter or a proxy among what was given: its error may hold anything.
    return { ok: false, fault: faultOf(target, "its request cannot be written") };
  }
}

function built(target: RequestTarget, source: RequestSource, answers: readonly Answer[]): Preparation {
  const parts: any[] = [];
  for (const answer of answers) {
    if ("fault" in answer) return { ok: false, fault: answer.fault };
    parts.push(answer.value);
  }
  const [apiKey, headers, body] = parts;
  const unusable = (problem: string): Preparation => ({ ok: false, fault: faultOf(target, problem) });
  const { protocol, address, model, verbatim } = target;
  const given = typeof target.body === "function";
  if (typeof target.apiKey === "function" && (typeof apiKey !== "string" || apiKey === "")) {
    return unusable(`its \`apiKey\` function gave ${apiKey === "" ? "an empty string" : typeof apiKey}, not a key`);
  }
  if (typeof target.headers === "function" && !isObject(headers))
    return unusable("its `headers` function gave no headers");
  if (given && !isObject(body)) return unusable("its `body` function gave no object");

  const written = writeBody(source, {
    model,
    shape: verbatim ? undefined : protocol.request,
    over: given ? undefined : body,
    instead: given ? body : undefined,
  });
  if (written.text === null) return unusable("its request cannot be written as JSON");
  if (address.unresolved)
    return unusable("its `url` does not begin with `https://`, and there is no page that it could be relative to");
  const url = addressFor(address, written.model);
  if (url === null) return unusable("`{model}` in its `url` needs a model, of characters that a path can hold");
  const key = apiKey === undefined ? undefined : authorization(protocol, apiKey);
  const added = verbatim ? [] : [JSON_CONTENT, protocol.request?.headers, source.inherited, key];
  const sent = buildHeaders([...added, headers, source.headers]);
  if (!sent.ok) return unusable(`a header ${sent.header} holds a character that HTTP does not allow`);
  return { ok: true, request: { url, headers: sent.headers, body: written.text, model: written.model } };
}

const JSON_CONTENT = { "content-type": "application/json" };

function authorization(protocol: Protocol, apiKey: string): HeadersLike {
  return protocol.authorize?.(apiKey) ?? { authorization: `Bearer ${apiKey}` };
}

function faultOf(target: RequestTarget, problem: string, cause?: unknown): ConfigurationFault {
  return { message: `endpoint \`${target.name}\`: ${problem}`, cause };
}

/** Does not hold on to a promise that outlives the attempt: `null` once that is aborted. */
function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value | null> {
  if (signal.aborted) return Promise.resolve(null);
  return new Promise((resolve) => {
    const stop = () => resolve(null);
    signal.addEventListener("abort", stop, { once: true });
    promise.then((value) => {
      signal.removeEventListener("abort", stop);
      resolve(signal.aborted ? null : value);
    });
  });
}
