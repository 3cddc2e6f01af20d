/** Whether the failures of a call count at all. */

/** `counts`: they do. Otherwise the attempt is let go without a word. */
export type Verdict = (counts: boolean, now: number) => void;

/**
 * A call in which no endpoint gave one byte accuses nobody: it may be the caller's own network that is down. So
 * failures wait for the first byte from anywhere, and are dropped if the call ends without one.
 */
export class Jury {
  #heard = false;
  #waiting: Verdict[] = [];

  heard(now: number): void {
    if (this.#heard) return;
    this.#heard = true;
    this.#close(true, now);
  }

  judge(verdict: Verdict, now: number): void {
    if (this.#heard) verdict(true, now);
    else this.#waiting.push(verdict);
  }

  callEnded(now: number): void {
    this.#close(false, now);
  }

  #close(counts: boolean, now: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const verdict of waiting) verdict(counts, now);
  }
}
