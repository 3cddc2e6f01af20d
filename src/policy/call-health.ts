/** The health of endpoints as one call asks for it and adds to it. */
import { Breaker, tellingChange } from "./breaker.ts";
import type { EndpointTable } from "./endpoint-health.ts";
import type { BreakerSettings } from "./failure-record.ts";
import type { HedgeCredit } from "./hedge-credit.ts";
import { Jury } from "./jury.ts";
import type { RetryBudget, RetryBudgetSettings } from "./retry-budget.ts";
import type { BreakerState, SkipReason } from "./states.ts";
import { Ticket } from "./ticket.ts";

export interface HealthOptions {
  /** A shared endpoint keeps the settings of whoever begins the first attempt there. `false`: not asked, not told. */
  readonly breaker: BreakerSettings | false;
  /** A shared budget keeps the settings of the first call that has any. `false`: every retry is allowed. */
  readonly retryBudget: RetryBudgetSettings | false;
  /** In [0, 1), for the jitter of open times. */
  readonly random: () => number;
  /** A breaker has changed its state because of this call. */
  readonly onChange: (endpoint: string, state: BreakerState) => void;
}

/** What all calls share. */
export interface SharedHealth {
  readonly endpoints: EndpointTable;
  readonly credit: HedgeCredit;
  /** `null` until a call has settings for one. */
  budget: RetryBudget | null;
}

export type Standing = "usable" | Extract<SkipReason, "breaker_open" | "resting">;

/** Open breakers are distrusted after the machine has slept this long. */
const LONG_SLEEP_MS = 60_000;

export class CallHealth {
  readonly #shared: SharedHealth;
  readonly #options: HealthOptions;
  readonly #jury = new Jury();

  constructor(shared: SharedHealth, options: HealthOptions) {
    this.#shared = shared;
    this.#options = options;
  }

  /** May an attempt be made there now, as far as its past tells? */
  standing(endpoint: string, now: number): Standing {
    if (this.#openUntil(endpoint) > now) return "breaker_open";
    return this.#restUntil(endpoint) > now ? "resting" : "usable";
  }

  /** The one that is usable first, the earlier listed of equals: where none is usable it gets one attempt without a retry. */
  usableFirst<Name extends string>(endpoints: readonly Name[]): Name | undefined {
    let first: Name | undefined;
    let earliest = Infinity;
    for (const endpoint of endpoints) {
      const usableAt = Math.max(this.#openUntil(endpoint), this.#restUntil(endpoint));
      if (usableAt < earliest) {
        first = endpoint;
        earliest = usableAt;
      }
    }
    return first;
  }

  /** An attempt starts. Whatever its standing was: a half-open endpoint takes it as its probe. */
  begin(name: string, now: number): Ticket {
    const { breaker: settings, random, onChange } = this.#options;
    const endpoint = this.#shared.endpoints.use(name);
    if (settings) endpoint.breaker ??= new Breaker(settings);
    const breaker = settings ? endpoint.breaker : null;
    const setup = {
      endpoint,
      breaker,
      jury: this.#jury,
      random,
      onChange: (state: BreakerState) => onChange(name, state),
    };
    return new Ticket(setup, now);
  }

  /** One more retry at the same endpoint? Whoever makes it says so by `spendRetry`. */
  mayRetry(now: number): boolean {
    return !this.#options.retryBudget || (this.#shared.budget?.mayRetry(now) ?? true);
  }

  spendRetry(now: number): void {
    if (this.#options.retryBudget) this.#shared.budget?.spend(now);
  }

  /** A second endpoint beside one that has been silent for `afterMs`? Whoever starts it says so by `spendHedge`. */
  mayHedge(afterMs: number): boolean {
    return this.#shared.credit.mayHedge(afterMs);
  }

  spendHedge(afterMs: number): void {
    this.#shared.credit.spend(afterMs);
  }

  /** The machine slept, or nothing could run for so long: open breakers become half-open. */
  suspended(ms: number): void {
    if (ms <= LONG_SLEEP_MS) return;
    for (const [name, { breaker }] of this.#shared.endpoints) {
      if (breaker)
        tellingChange(
          breaker,
          (state) => this.#options.onChange(name, state),
          () => breaker.slept(),
        );
    }
  }

  /** The last attempt has ended. Failures that no byte from anywhere has made count are forgotten. */
  ended(now: number): void {
    this.#jury.callEnded(now);
  }

  #openUntil(endpoint: string): number {
    const breaker = this.#options.breaker && this.#shared.endpoints.find(endpoint)?.breaker;
    return breaker ? breaker.usableAt : -Infinity;
  }

  #restUntil(endpoint: string): number {
    return this.#shared.endpoints.find(endpoint)?.restUntil ?? -Infinity;
  }
}
