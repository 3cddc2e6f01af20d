/** Waits for the moment of a case (`at`) and then acts, once. */
import type { Moment } from "../format.ts";

export class Trigger {
  readonly #at: Moment;
  readonly #act: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #armed = false;

  constructor(at: Moment | undefined, act: () => void) {
    this.#at = at ?? { event: "firstContent" };
    this.#act = act;
  }
  /** The call has been made. */
  called(): void {
    if (!this.#at.event) this.#arm(this.#at.ms ?? 0);
  }
  firstContent(): void {
    if (this.#at.event === "firstContent") this.#arm(this.#at.ms);
  }
  terminal(): void {
    if (this.#at.event === "terminal") this.#arm(this.#at.ms);
  }
  /** An attempt has ended: what follows within the same turn of the loop comes before the wait. */
  attemptEnded(): void {
    if (this.#at.event === "backoff") this.#arm(this.#at.ms ?? 0);
  }
  dispose(): void {
    this.#armed = true;
    clearTimeout(this.#timer);
  }
  #arm(ms: number | undefined): void {
    if (this.#armed) return;
    this.#armed = true;
    if (ms === undefined) this.#act();
    else this.#timer = setTimeout(this.#act, ms);
  }
}
