/** The options of a client or a drop-in with every default filled in, and the call that they make of a request. */
import { estimatedPromptTokens, type RequestSource } from "../attempt/body.ts";
import { DEFAULT_BOUNDS, DEFAULT_GATE, type ResolvedBounds, type ResolvedGate } from "../attempt/bounds.ts";
import { newCallId } from "../base/call-id.ts";
import { systemClock } from "../base/clock.ts";
import { breakerDefaults, maxAttemptsFor, retryBudgetDefaults, retryDefaults } from "../policy/defaults.ts";
import type { HealthState } from "../policy/health.ts";
import type { FallbackOptions, RetryOptions } from "../policy/options.ts";
import type { Call } from "../route/call.ts";
import { isRestricted, NO_NEEDS, needsOf } from "../route/capabilities.ts";
import { type ResolvedEndpoint, requestedModel } from "../route/endpoint.ts";
import { createHealth, healthStateOf } from "../route/health.ts";
import { DEFAULT_HEDGE_MS, type HedgeOptions } from "../route/hedge.ts";
import { requestParameters } from "../route/parameters.ts";
import { hasProviderEffects, hasProviderTools } from "../route/provider-effects.ts";
import { DEFAULT_LIMITS, promptBandOf, type ResolvedLimits } from "../timing/limits.ts";
import { combineObservers } from "../turn/observers.ts";
import type { CallOptions, SharedOptions } from "./options.ts";

/** The options of a client or a drop-in, decided once; what a call can still change is its default there. */
export interface Settings extends Pick<Call, Decided> {
  readonly retry: RetryOptions | undefined;
  readonly fallback: FallbackOptions | undefined;
}

type Decided =
  | "clock"
  | "random"
  | "fetch"
  | "observer"
  | "health"
  | "limitsOf"
  | "breaker"
  | "retryBudget"
  | "hedgeAfterMs"
  | "gate"
  | "bounds"
  | "policy";

/** The options have been validated. */
export function settingsOf(options: SharedOptions): Settings {
  const { clock = systemClock, observers = [], random = Math.random, breaker, retryBudget, fetch } = options;
  const limits = over<ResolvedLimits>(DEFAULT_LIMITS, options.limits);
  return {
    clock,
    random: () => chance(random),
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, init),
    observer: combineObservers(observers),
    health: healthStateOf(options.health ?? createHealth({ clock })) as HealthState,
    // Key by key: defaults < client < endpoint < call. The call's come in `createCall`.
    limitsOf: (endpoint) => over(limits, endpoint.limits),
    retry: options.retry && { ...options.retry },
    fallback: options.fallback && { ...options.fallback },
    breaker: breaker === false ? false : over(breakerDefaults, breaker),
    retryBudget: retryBudget === false ? false : over(retryBudgetDefaults, retryBudget),
    hedgeAfterMs: hedgeAfter(options.hedge),
    gate: over<ResolvedGate>(DEFAULT_GATE, options.gate),
    bounds: over<ResolvedBounds>(DEFAULT_BOUNDS, options.bounds),
    policy: options.policy,
  };
}

/** What differs between the façades. */
export interface CallShape {
  /** The moment of the call, taken before anything else. */
  readonly startedAt: number;
  readonly chain: readonly ResolvedEndpoint[];
  readonly source: RequestSource;
  readonly form: Call["form"];
}

export function createCall(settings: Settings, shape: CallShape, callOptions: CallOptions): Call {
  const { clock, random, fetch, health, breaker, retryBudget, bounds, policy } = settings;
  const { startedAt, chain, source, form } = shape;
  const { limits, observers, annotations } = callOptions;
  const first = chain[0] as ResolvedEndpoint;
  const promptTokens = callOptions.promptTokens ?? estimatedPromptTokens(source);
  const restricted = chain.some((endpoint, at) => isRestricted(endpoint, at === 0));
  const endpoints = chain.length;
  const observer = observers ? combineObservers([settings.observer, ...observers]) : settings.observer;
  return {
    info: {
      callId: newCallId(random),
      label: callOptions.label ?? null,
      protocol: first.protocol.name,
      model: requestedModel(first, source.body),
      promptBand: promptBandOf(promptTokens),
      endpoint: first.name,
      url: first.publicUrl,
      restartOf: callOptions.restartOf?.callId ?? null,
      parameters: observer ? requestParameters(source.body) : NOTHING,
    },
    startedAt,
    clock,
    random,
    fetch,
    observer,
    health,
    chain,
    source,
    needs: restricted ? needsOf(source.body, promptTokens) : NO_NEEDS,
    hasEffects: hasProviderEffects(source.body),
    hasProviderTools: hasProviderTools(source.body),
    signal: callOptions.signal ?? null,
    limitsOf: limits ? (endpoint) => over(settings.limitsOf(endpoint), limits) : settings.limitsOf,
    promptTokens,
    retry: over({ ...retryDefaults, maxAttempts: maxAttemptsFor(endpoints) }, settings.retry, callOptions.retry),
    fallback: over({ maxFallbacks: endpoints }, settings.fallback, callOptions.fallback),
    breaker,
    retryBudget,
    hedgeAfterMs: callOptions.hedge === undefined ? settings.hedgeAfterMs : hedgeAfter(callOptions.hedge),
    gate: over(settings.gate, callOptions.gate),
    bounds,
    policy,
    accept: callOptions.accept ?? NONE,
    collect: callOptions.collect ?? true,
    form,
    annotations: annotations ? { ...annotations } : NOTHING,
  };
}

const NOTHING = /* @__PURE__ */ Object.freeze({});
const NONE: readonly never[] = [];

/** One that fails or gives no number costs the jitter and not the call. */
function chance(random: () => number): number {
  try {
    const given = random();
    return given >= 0 && given <= 1 ? given : 0.5;
  } catch {
    return 0.5;
  }
}

function hedgeAfter(hedge: HedgeOptions | false | undefined): Call["hedgeAfterMs"] {
  if (hedge === false) return null;
  return hedge?.afterMs ?? DEFAULT_HEDGE_MS;
}

/** Later layers win, field by field; one that is `undefined` is as if it were not there. */
function over<Options extends object>(defaults: Options, ...layers: (Partial<Loose<Options>> | undefined)[]): Options {
  if (layers.every((layer) => layer === undefined)) return defaults;
  const result: Options = { ...defaults };
  for (const layer of layers) {
    for (const name in layer) {
      if (layer[name] !== undefined) result[name as keyof Options] = layer[name] as Options[keyof Options];
    }
  }
  return result;
}

type Loose<Options> = { readonly [Name in keyof Options]: Options[Name] | undefined | any };
