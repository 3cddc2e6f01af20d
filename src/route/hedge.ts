/** When a second endpoint starts beside a silent first one. */
import type { CallHealth } from "../policy/call-health.ts";
import { HEDGE_IS_FREE_MS } from "../policy/hedge-credit.ts";
import type { LimitContext } from "../timing/limits.ts";
import type { Call } from "./call.ts";
import type { ResolvedEndpoint } from "./endpoint.ts";
import { limitContextOf } from "./launch.ts";
import { limitFor } from "./limits.ts";
import type { Warnings } from "./warnings.ts";

export interface HedgeOptions {
  /** Silence before the next endpoint starts beside the first. Default 30 000. A number, or the same kind of function as `firstTokenMs`. */
  readonly afterMs: number | ((context: LimitContext) => number | null);
}

export const DEFAULT_HEDGE_MS = 30_000;

/** Waits out the silence of the latest attempt; there is one race at a time. */
export class HedgeTimer {
  readonly #call: Call;
  readonly #health: CallHealth;
  readonly #warnings: Warnings;
  readonly #start: () => boolean;
  #cancel: (() => void) | null = null;

  /** `start` says whether there was somebody to start. */
  constructor(call: Call, health: CallHealth, warnings: Warnings, start: () => boolean) {
    this.#call = call;
    this.#health = health;
    this.#warnings = warnings;
    this.#start = start;
  }

  arm(endpoint: ResolvedEndpoint): void {
    this.cancel();
    const { hedgeAfterMs, hasProviderTools } = this.#call;
    if (hedgeAfterMs === null || hasProviderTools) return;
    const afterMs = limitFor(hedgeAfterMs, limitContextOf(this.#call, endpoint), this.#warnings) ?? DEFAULT_HEDGE_MS;
    this.#wait(afterMs, afterMs);
  }

  /** Where the credit is used up, so much more silence that the hedge costs none: it is no worse than to have set less. */
  #wait(ms: number, silentMs: number): void {
    this.#cancel = this.#call.clock.after(ms, () => {
      this.#cancel = null;
      if (!this.#health.mayHedge(silentMs)) return this.#wait(HEDGE_IS_FREE_MS - silentMs, HEDGE_IS_FREE_MS);
      if (this.#start()) this.#health.spendHedge(silentMs);
    });
  }

  cancel(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
