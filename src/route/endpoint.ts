/** Where an attempt goes: address, key, model, and what the core needs to know of the host. */
import { type Address, addressFor, parseAddress, publicUrl } from "../attempt/address.ts";
import type { HeadersLike } from "../attempt/headers.ts";
import type { AttemptContext, RequestTarget } from "../attempt/request.ts";
import type { Protocol, ProtocolName } from "../protocol/protocol.ts";
import type { AttemptLimits } from "../timing/limits.ts";
import type { Capabilities } from "./capabilities.ts";

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

/** What can hold a key, a query or a prompt. */
interface Hidden {
  readonly address: Address;
  readonly apiKey?: RequestTarget["apiKey"];
  readonly headers?: RequestTarget["headers"];
  readonly body?: RequestTarget["body"];
  /** What a foreign caller gave to `fetch` beside what we set. */
  readonly extraInit: object;
}

/** An endpoint as the rest of the library sees it: every default decided, and what is hidden neither printed nor listed. */
export class ResolvedEndpoint implements RequestTarget {
  readonly name: string;
  readonly protocol: Protocol;
  readonly model: string | undefined;
  readonly verbatim: boolean;
  readonly lenient: boolean;
  readonly capabilities: Capabilities;
  readonly limits: AttemptLimits | undefined;
  readonly refusalCodes: readonly string[];
  readonly requestIdHeader: string | null;
  /** What observers see, as far as it is known before a request: no query, no fragment. */
  readonly publicUrl: URL;
  readonly #hidden: Hidden;

  constructor(traits: NamedTraits, protocol: Protocol, hidden: Hidden, verbatim = false) {
    this.name = traits.name;
    this.protocol = protocol;
    this.model = traits.model;
    this.verbatim = verbatim;
    this.lenient = traits.completion === "lenient";
    // Copies: what the caller changes later was never checked.
    this.capabilities = { ...traits.capabilities };
    this.limits = traits.limits && { ...traits.limits };
    this.refusalCodes = traits.refusalCodes ?? [];
    this.requestIdHeader = traits.requestIdHeader ?? null;
    this.publicUrl = observedUrl(hidden, traits.model ?? null);
    this.#hidden = hidden;
  }

  get address(): Address {
    return this.#hidden.address;
  }
  get apiKey(): RequestTarget["apiKey"] {
    return this.#hidden.apiKey;
  }
  get headers(): RequestTarget["headers"] {
    return this.#hidden.headers;
  }
  get body(): RequestTarget["body"] {
    return this.#hidden.body;
  }
  get extraInit(): object {
    return this.#hidden.extraInit;
  }
}

type NamedTraits = EndpointTraits & { readonly name: string; readonly model?: string | undefined };

export type Protocols = Readonly<Record<string, Protocol>>;

/** Of an endpoint that has been validated. `protocols`: the built-in ones, by name. */
export function resolveEndpoint(endpoint: Endpoint<any>, protocols: Protocols): ResolvedEndpoint {
  const { protocol, apiKey, headers, body } = endpoint;
  const spoken = typeof protocol === "string" ? (protocols[protocol] as Protocol) : protocol;
  const hidden = { address: parseAddress(endpoint.url), apiKey, headers, body, extraInit: {} };
  return new ResolvedEndpoint({ ...endpoint, name: nameOf(endpoint) }, spoken, hidden);
}

/** The endpoint that a foreign caller chose by its address; it brings key, headers and body itself. */
export function resolvePrimary(
  traits: EndpointTraits,
  url: URL,
  protocol: Protocol,
  headers: HeadersLike,
  extraInit: object,
): ResolvedEndpoint {
  const address: Address = { template: "", url, unresolved: false };
  return new ResolvedEndpoint(
    { ...traits, name: traits.name ?? url.host },
    protocol,
    { address, headers, extraInit },
    true,
  );
}

/** The name given, else the host; else, relative and without a page, the address itself. */
export function nameOf({ name, url }: Pick<Endpoint, "name" | "url">): string {
  if (name !== undefined) return name;
  const address = parseAddress(url);
  return address.unresolved ? address.url.pathname : address.url.host;
}

/** The model a request will ask for there, as far as it can be known before its functions have run. */
export function requestedModel({ model, body }: RequestTarget, request: Readonly<Record<string, any>>): string | null {
  const over = typeof body === "object" ? body.model : undefined;
  const asked = over ?? model ?? request.model;
  return typeof asked === "string" ? asked : null;
}

/** The address that observers see: no query, no fragment. */
export function observedUrl({ address }: Pick<RequestTarget, "address">, model: string | null): URL {
  return publicUrl(addressFor(address, model) ?? address.url);
}
