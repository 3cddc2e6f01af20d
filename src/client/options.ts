/** What the façades take: the client's options, the drop-in's, and those of one call. */
import type { Bounds, GateOptions } from "../attempt/bounds.ts";
import type { HeadersLike } from "../attempt/headers.ts";
import type { Clock } from "../base/clock.ts";
import type { BreakerOptions, FallbackOptions, Policy, RetryBudgetOptions, RetryOptions } from "../policy/options.ts";
import type { StopReason } from "../protocol/protocol.ts";
import type { AnyBody, Endpoint, EndpointTraits } from "../route/endpoint.ts";
import type { Health } from "../route/health.ts";
import type { HedgeOptions } from "../route/hedge.ts";
import type { Limits } from "../timing/limits.ts";
import type { Observer } from "../turn/observer.ts";
import type { Turn } from "../turn/turn.ts";

export interface SharedOptions {
  /** Falsy entries are skipped: `observers: [production && otel(), stats]`. */
  readonly observers?: readonly (Observer | false | null | undefined | "" | 0)[] | undefined;
  /** How long each wait may take. Merged key by key: defaults < client < endpoint < call. */
  readonly limits?: Limits | undefined;
  /** Again at the same endpoint. */
  readonly retry?: RetryOptions | undefined;
  /** On to the next endpoint. */
  readonly fallback?: FallbackOptions | undefined;
  /** `false` switches it off. */
  readonly breaker?: BreakerOptions | false | undefined;
  /** `false` switches it off. */
  readonly retryBudget?: RetryBudgetOptions | false | undefined;
  /** The next endpoint starts while the silent first one goes on. `false` switches it off. */
  readonly hedge?: HedgeOptions | false | undefined;
  /** Breakers and budgets, shared between clients and `createFetch`. Default: one per client. */
  readonly health?: Health | undefined;
  readonly gate?: GateOptions | undefined;
  readonly bounds?: Bounds | undefined;
  /** Replace or wrap the decision after a failed attempt. Pure: no I/O, no clock. */
  readonly policy?: Policy | undefined;
  /** Looked up at call time if not given. */
  readonly fetch?: ((input: string | URL | Request, init?: RequestInit) => Promise<Response>) | undefined;
  readonly clock?: Clock | undefined;
  /** In [0, 1), for jitter. Default `Math.random`. */
  readonly random?: (() => number) | undefined;
}

export interface ClientOptions<Body extends object = AnyBody> extends SharedOptions {
  /** In the order they are tried. */
  readonly endpoints: readonly Endpoint<Body>[];
}

export interface FetchOptions extends SharedOptions {
  /** What we should know of the endpoint that the SDK itself calls. */
  readonly primary?: PrimaryTraits | undefined;
  /** The same objects as in `createClient({ endpoints })`. They must speak the protocol of the call. */
  readonly fallbacks?: readonly Endpoint[] | undefined;
}

/** The endpoint the SDK calls. `origin` is required with `fallbacks`: only calls to it may spend a fallback's key. */
export interface PrimaryTraits extends EndpointTraits {
  readonly origin?: string | readonly string[] | undefined;
}

/** One call. */
export interface CallOptions {
  /** Yours for the life of the answer. `null` is allowed, as in `fetch`. */
  readonly signal?: AbortSignal | null | undefined;
  readonly limits?: Limits | undefined;
  readonly retry?: RetryOptions | undefined;
  readonly fallback?: FallbackOptions | undefined;
  readonly hedge?: HedgeOptions | false | undefined;
  readonly gate?: GateOptions | undefined;
  /** `false`: count and time the answer, keep none of it (`text` is `""`). Default true. */
  readonly collect?: boolean | undefined;
  /** Up to 8 short strings for records (run id, step, trace id of your own); never on metrics. */
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  /** Added to every attempt, over the endpoint's. For trace, tenant or idempotency headers; never for keys. */
  readonly headers?: HeadersLike | undefined;
  /** What this call is for (`"chat"`, `"title"`, `"autocomplete"`): low cardinality, in records, metrics and tails. */
  readonly label?: string | undefined;
  /** Makes the prompt band exact. */
  readonly promptTokens?: number | undefined;
  /** Endings you take as an answer although the model did not choose them, e.g. `["length"]` for a capped title. */
  readonly accept?: readonly StopReason[] | undefined;
  /** This answer replaces that one. Links the two in records; a UI replaces instead of appending. */
  readonly restartOf?: Turn | undefined;
  /** Heard for this call only, after the client's: live waterfalls. */
  readonly observers?: readonly (Observer | false | null | undefined | "" | 0)[] | undefined;
}

/** What you write at the call: `stream` is set for you, `model` may come from the endpoint. */
export type CallBody<Body extends object> = Body extends unknown
  ? Omit<Body, "stream" | "model"> & { readonly model?: (Body extends { model: infer M } ? M : string) | undefined }
  : never;
