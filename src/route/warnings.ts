/** Tells whoever listens what the caller should mend in their own functions; each thing once per call. */
import type { Observer } from "../turn/observer.ts";

export class Warnings {
  readonly #observer: Observer | null;
  #told: readonly string[] = [];

  constructor(observer: Observer | null) {
    this.#observer = observer;
  }

  policyFailed(): void {
    this.#tell("policy_failed", "`policy` gave no decision: the default one was taken");
  }

  limitFailed(): void {
    this.#tell("limit_failed", "a limit function gave no limit: the default was taken");
  }

  #tell(code: string, message: string): void {
    if (this.#told.includes(code)) return;
    this.#told = this.#told.concat(code);
    this.#observer?.warning?.({ code, message });
  }
}
