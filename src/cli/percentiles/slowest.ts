/** The few that waited longest, kept while millions pass by. */
import type { PromptBand } from "../../timing/limits.ts";
import type { TurnAttempt } from "./turn-record.ts";

export interface SlowTurn {
  /** Until the first content, or until the end if there was none. */
  readonly waitMs: number;
  readonly endpoint: string;
  readonly model: string;
  readonly label: string | null;
  readonly band: PromptBand;
  readonly outcome: string;
  /** Where to find it: the call id, or file and line. */
  readonly where: string;
  /** Empty for a row of an export, which knows one number. */
  readonly attempts: readonly TurnAttempt[];
}

export class Slowest {
  readonly #most: number;
  #turns: SlowTurn[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** Built only if it is one of them: most are not. */
  offer(waitMs: number, build: () => SlowTurn): void {
    const last = this.#turns.at(-1);
    if (this.#turns.length === this.#most && last && waitMs <= last.waitMs) return;
    this.#turns = [...this.#turns, build()].sort((a, b) => b.waitMs - a.waitMs).slice(0, this.#most);
  }

  get turns(): readonly SlowTurn[] {
    return this.#turns;
  }
}
