/** Which stretch of the rolling window it is. There is no clock here: the ends of calls tell the time. */

/** The window is forgotten by thirds: nothing that counts is older than the window, and two thirds of it always count. */
const STRETCHES = 3;

export class Calendar {
  /** The stretch that is being filled. */
  current = 0;
  readonly #windowMs: number;
  readonly #lengthMs: number;
  /** When stretch 0 began; `null` while no time is known. */
  #beginning: number | null = null;
  #now = Number.NEGATIVE_INFINITY;
  #hasOwnCalls = false;

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
    this.#lengthMs = windowMs / STRETCHES;
  }

  /** A call has ended at this time (epoch ms). */
  see(at: number): void {
    this.#hasOwnCalls = true;
    // A clock that is set back by more than a window was wrong before: time goes on from here, and nothing is lost.
    if (at <= this.#now - this.#windowMs) this.#begin(at);
    this.#advance(at);
  }

  /** Another process says so: believed as long as there is no call of our own to go by. */
  hearOf(at: number): void {
    if (!this.#hasOwnCalls) this.#advance(at);
  }

  #advance(at: number): void {
    if (!Number.isFinite(at) || at <= this.#now) return;
    if (this.#beginning === null) this.#begin(at);
    this.#now = at;
    this.current = this.#stretchAt(at);
  }

  /** Lets the present stretch begin at that time. */
  #begin(at: number): void {
    this.#beginning = at - (this.current && this.current * this.#lengthMs);
    this.#now = at;
  }

  isOver(stretch: number): boolean {
    return stretch <= this.current - STRETCHES;
  }

  /** The latest that a sample in this stretch can be from, epoch ms; `null` while no time is known. */
  endOf(stretch: number): number | null {
    return this.#beginning === null ? null : Math.min(this.#now, this.#beginning + (stretch + 1) * this.#lengthMs);
  }

  /** Where samples of that time belong. Another machine's clock may be ahead of ours: its future is now. */
  stretchOf(at: number | null): number {
    return at === null ? this.current : Math.min(this.current, this.#stretchAt(at));
  }

  #stretchAt(at: number): number {
    return this.#beginning === null ? this.current : Math.floor((at - this.#beginning) / this.#lengthMs);
  }
}
