/** The options of a client or a drop-in with every default filled in, and the call that they make of a request. */
import { estimatedPromptTokens, type RequestSource } from "../attempt/body.ts";
import { DEFAULT_BOUNDS, DEFAULT_GATE } from "../attempt/bounds.ts";
import { newCallId } from "../base/call-id.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import { breakerDefaults, maxAttemptsFor, retryBudgetDefaults, retryDefaults } from "../policy/defaults.ts";
import type { HealthState } from "../policy/health.ts";
import type { Call } from "../route/call.ts";
import { isRestricted, NO_NEEDS, needsOf } from "../route/capabilities.ts";
import { type ResolvedEndpoint, requestedModel } from "../route/endpoint.ts";
import { createHealth, healthStateOf } from "../route/health.ts";
import { DEFAULT_HEDGE_MS, type HedgeOptions } from "../route/hedge.ts";
import { requestParameters } from "../route/parameters.ts";
import { hasProviderEffects, hasProviderTools } from "../route/provider-effects.ts";
import { DEFAULT_LIMITS, type Limits, promptBandOf, type ResolvedLimits } from "../timing/limits.ts";
import type { Observer } from "../turn/observer.ts";
import { combineObservers } from "../turn/observers.ts";
import type { CallOptions, SharedOptions } from "./options.ts";

export interface Settings {
  readonly options: SharedOptions;
  readonly clock: Clock;
  readonly observer: Observer | null;
  readonly health: HealthState;
}

/** The options have been validated. */
export function settingsOf(options: SharedOptions): Settings {
  const { clock = systemClock, observers = [] } = options;
  const health = healthStateOf(options.health ?? createHealth({ clock })) as HealthState;
  // A copy: what is changed later was never checked.
  return { options: { ...options }, clock, observer: combineObservers(observers), health };
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
  const { options, clock, health } = settings;
  const { startedAt, chain, source, form } = shape;
  const first = chain[0] as ResolvedEndpoint;
  const promptTokens = callOptions.promptTokens ?? estimatedPromptTokens(source);
  const restricted = chain.some((endpoint, at) => isRestricted(endpoint, at === 0));
  const endpoints = chain.length;
  const { fetch, random = Math.random, breaker, retryBudget, policy } = options;
  return {
    info: {
      callId: newCallId(),
      label: callOptions.label ?? null,
      protocol: first.protocol.name,
      model: requestedModel(first, source.body),
      promptBand: promptBandOf(promptTokens),
      endpoint: first.name,
      url: first.publicUrl,
      restartOf: callOptions.restartOf?.callId ?? null,
      parameters: requestParameters(source.body),
    },
    startedAt,
    clock,
    random: () => chance(random),
    fetch: (input, init) => (fetch ?? globalThis.fetch)(input, init),
    observer: callOptions.observers
      ? combineObservers([settings.observer, ...callOptions.observers])
      : settings.observer,
    health,
    chain,
    source,
    needs: restricted ? needsOf(source.body, promptTokens) : NO_NEEDS,
    hasEffects: hasProviderEffects(source.body),
    hasProviderTools: hasProviderTools(source.body),
    signal: callOptions.signal ?? null,
    limitsOf: limitsOf(options.limits, callOptions.limits),
    promptTokens,
    retry: { maxAttempts: maxAttemptsFor(endpoints), ...over(retryDefaults, options.retry, callOptions.retry) },
    fallback: over({ maxFallbacks: endpoints }, options.fallback, callOptions.fallback),
    breaker: breaker === false ? false : over(breakerDefaults, breaker),
    retryBudget: retryBudget === false ? false : over(retryBudgetDefaults, retryBudget),
    hedgeAfterMs: hedgeAfter(callOptions.hedge ?? options.hedge),
    gate: over(DEFAULT_GATE, options.gate, callOptions.gate),
    bounds: over(DEFAULT_BOUNDS, options.bounds),
    policy,
    accept: callOptions.accept ?? [],
    collect: callOptions.collect ?? true,
    form,
    annotations: { ...callOptions.annotations },
  };
}

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

/** Key by key: defaults < client < endpoint < call. */
function limitsOf(
  client: Limits | undefined,
  call: Limits | undefined,
): (endpoint: ResolvedEndpoint) => ResolvedLimits {
  return (endpoint) => over(DEFAULT_LIMITS as ResolvedLimits, client, endpoint.limits, call);
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
