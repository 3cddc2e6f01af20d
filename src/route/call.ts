/** One call as the router sees it: every option decided, nothing left to look up. */
import type { RequestSource } from "../attempt/body.ts";
import type { ResolvedBounds, ResolvedGate } from "../attempt/bounds.ts";
import type { Clock } from "../base/clock.ts";
import type { HealthState } from "../policy/health.ts";
import type {
  BreakerOptions,
  FallbackOptions,
  Policy,
  RetryBudgetOptions,
  RetryOptions,
  Settings,
} from "../policy/options.ts";
import type { StopReason } from "../protocol/protocol.ts";
import type { LimitContext, ResolvedLimits } from "../timing/limits.ts";
import type { CallInfo, Observer } from "../turn/observer.ts";
import type { Needs } from "./capabilities.ts";
import type { ResolvedEndpoint } from "./endpoint.ts";

export interface Call {
  readonly info: CallInfo;
  /** The moment of the call on the clock, taken synchronously. */
  readonly startedAt: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
  readonly observer: Observer | null;
  readonly health: HealthState;
  /** In the order they are tried. */
  readonly chain: readonly ResolvedEndpoint[];
  readonly source: RequestSource;
  readonly needs: Needs;
  /** The provider does for it what must not be done twice. */
  readonly hasEffects: boolean;
  /** The provider runs tools for it: no second endpoint beside the first. */
  readonly hasProviderTools: boolean;
  readonly signal: AbortSignal | null;
  readonly limitsOf: (endpoint: ResolvedEndpoint) => ResolvedLimits;
  readonly promptTokens: number | null;
  readonly retry: Settings<RetryOptions>;
  readonly fallback: Settings<FallbackOptions>;
  readonly breaker: Settings<BreakerOptions> | false;
  readonly retryBudget: Settings<RetryBudgetOptions> | false;
  /** `null` = off. */
  readonly hedgeAfterMs: number | ((context: LimitContext) => number | null) | null;
  readonly gate: ResolvedGate;
  readonly bounds: ResolvedBounds;
  readonly policy: Policy | undefined;
  readonly accept: readonly StopReason[];
  readonly collect: boolean;
  /** In which shape the answer is handed on. */
  readonly form: "events" | "bytes" | "nothing";
  readonly annotations: Readonly<Record<string, string>>;
}
