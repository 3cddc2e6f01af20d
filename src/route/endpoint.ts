/** Where an attempt goes: address, key, model, and what the core needs to know of the host. */
import type { Protocol, ProtocolName } from "../protocol/protocol.ts";
import type { AttemptLimits } from "../timing/limits.ts";
import type { AttemptKind } from "../turn/record.ts";

/** Any JSON object. Accepts interfaces too (`Record<string, unknown>` would not). */
export type AnyBody = Record<string, any>;

/** What the core needs to know of an endpoint beyond its address. */
export interface EndpointTraits {
  /** Low-cardinality label in records and metrics. Default: the URL's host. Must be unique within a chain. */
  readonly name?: string | undefined;
  /** A built-in by name, or your own from `defineProtocol`. */
  readonly protocol?: ProtocolName | Protocol | undefined;
  /**
   * `"strict"` (default): complete only after the protocol's success signal. `"lenient"`: a known stop reason and a
   * clean end of the body are enough, for hosts that never send the signal.
   */
  readonly completion?: "strict" | "lenient" | undefined;
  /** What it can do. Anything left out is assumed to work. */
  readonly capabilities?: Capabilities | undefined;
  readonly limits?: AttemptLimits | undefined;
  /** Codes with which this gateway refuses by policy: they end the call, no other endpoint is asked. Added to the built-in ones. */
  readonly refusalCodes?: readonly string[] | undefined;
  /** Header that holds the provider's request id, if it is none of the usual ones. */
  readonly requestIdHeader?: string | undefined;
}

export interface Endpoint<Body extends object = AnyBody> extends EndpointTraits {
  readonly protocol: ProtocolName | Protocol;
  /** The full address of the chat call. Relative in browsers (`/api/chat`). `{model}` is replaced by `model`. */
  readonly url: string | URL;
  /**
   * Put where the protocol wants it (`authorization`, `x-api-key`, `x-goog-api-key`). Sent to this origin only.
   * Written but `undefined` is a `TypeError` ("is the environment variable set?"): the one exception to the rule above.
   */
  readonly apiKey?: string | ((attempt: AttemptContext) => string | Promise<string>) | undefined;
  /** An `apiKey` over plain `http:` is refused except to loopback. */
  readonly allowInsecure?: boolean | undefined;
  /** Sent as the request's model. Leave it off to let the caller choose. */
  readonly model?: string | undefined;
  readonly headers?: HeadersLike | ((attempt: AttemptContext) => HeadersLike | Promise<HeadersLike>) | undefined;
  /**
   * An object: merged over the request, one level deep; a field set to `undefined` is removed.
   * A function: the request to send instead, e.g. for another protocol (then it is required).
   */
  readonly body?: BodyFields | ((request: Body, attempt: AttemptContext) => object | Promise<object>) | undefined;
}

/** Fields merged over a request. Not callable, so that a wrong body *function* is an error and not "an object". */
export type BodyFields = { readonly [field: string]: any } & { readonly call?: never };

export type HeadersLike = Headers | Readonly<Record<string, string | undefined>>;

export interface Capabilities {
  readonly tools?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly vision?: boolean | undefined;
  readonly contextTokens?: number | undefined;
  /** Holds what a request refers to by id (previous responses, files, caches, signatures). Default: the first endpoint only. */
  readonly state?: boolean | undefined;
}

export interface AttemptContext {
  readonly callId: string;
  readonly endpoint: string;
  readonly index: number;
  readonly kind: AttemptKind;
  /** Aborted with the attempt: pass it to your token refresh. */
  readonly signal: AbortSignal;
}
