/** Whether the failures of a call count at all. */

/** What follows once it is known whether failures count; if they do not, the attempt is let go without a word. */
export type Ruling = (counts: boolean, now: number) => void;

/**
 * A call in which no endpoint gave one byte accuses nobody: it may be the caller's own network that is down. So
 * failures wait for the first byte from anywhere, and are dropped if the call ends without one.
 */
export class Jury {
  #heard = false;
  #waiting: Ruling[] = [];

  heard(now: number): void {
    if (this.#heard) return;
    this.#heard = true;
    this.#close(true, now);
  }

  judge(ruling: Ruling, now: number): void {
    if (this.#heard) ruling(true, now);
    else this.#waiting.push(ruling);
  }

  callEnded(now: number): void {
    this.#close(false, now);
  }

  #close(counts: boolean, now: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const ruling of waiting) ruling(counts, now);
  }
}
