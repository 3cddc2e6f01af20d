/** The last attempts of one endpoint, model and band, and what they say of a limit that turned out too short. */

const LAST = 200;
/** More than 2 % of them were cut. */
const TOO_MANY = LAST * 0.02;
/** A timer may fire a little early. */
const NEAR = 0.9;

export class Recent {
  /** An answer counts as its time, a cut by the first-token limit as minus its time. */
  readonly #waits = new Float32Array(LAST);
  #seen = 0;

  answered(ms: number): void {
    this.#waits[this.#seen++ % LAST] = Math.max(ms, 0.1);
  }

  cut(ms: number): void {
    this.#waits[this.#seen++ % LAST] = -ms;
  }

  /**
   * The limit, doubled as long as more than 2 % of the last attempts were cut at it or above: a provider that became
   * slower is learnt and not cut for ever. Where a doubling let nobody through although most attempts answer, the silent
   * ones are stalled and not slow: a longer limit would only prolong the wait.
   */
  doubled(limitMs: number, maxMs: number): number {
    let limit = limitMs;
    while (limit < maxMs && this.#cutsFrom(limit * NEAR) > TOO_MANY) {
      if (limit > limitMs && this.#stalledFrom(limit / 2)) break;
      limit = Math.min(limit * 2, maxMs);
    }
    return limit;
  }

  #cutsFrom(ms: number): number {
    return this.#waits.reduce((count, wait) => (wait <= -ms ? count + 1 : count), 0);
  }

  #stalledFrom(ms: number): boolean {
    const answers = this.#waits.filter((wait) => wait > 0);
    return answers.length > Math.min(this.#seen, LAST) / 2 && answers.every((wait) => wait <= ms);
  }
}
