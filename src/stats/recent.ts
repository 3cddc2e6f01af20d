/** The last attempts of one endpoint, model and band, and what they say of a limit that turned out too short. */

const LAST = 200;
/** More than 2 % of them. */
const TOO_MANY = LAST * 0.02 + 1;

export class Recent {
  /** An answer counts as its time, a cut by the first-token limit as minus its time. */
  readonly #waits = new Float32Array(LAST);
  #seen = 0;

  answered(ms: number): void {
    this.#waits[this.#seen++ % LAST] = ms;
  }

  cut(ms: number): void {
    this.#waits[this.#seen++ % LAST] = -ms;
  }

  /**
   * What a limit must not be below: twice the time at which more than 2 % of the last attempts were cut, so that a
   * provider that became slower is learnt and not cut for ever; 0 if there were fewer. Those that were under way when it
   * doubled are cut at the old limit, and do not double the new one.
   */
  floorMs(): number {
    const cuts = this.#waits.filter((wait) => wait < 0).sort();
    const cutMs = -(cuts[TOO_MANY - 1] ?? 0);
    return this.#onlyStalledFrom(cutMs / 2) ? cutMs : cutMs * 2;
  }

  /**
   * Where most attempts answer, and none of them in the second half of the wait, the last doubling let nobody through:
   * the silent ones are stalled and not slow. One more would only prolong the wait.
   */
  #onlyStalledFrom(ms: number): boolean {
    const answers = this.#waits.filter((wait) => wait > 0);
    return answers.length > Math.min(this.#seen, LAST) / 2 && answers.every((wait) => wait <= ms);
  }
}
