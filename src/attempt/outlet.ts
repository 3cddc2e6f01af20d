/** The queue between the read loop, which fills it, and the one consumer, who empties it. */

/** Reads that may run ahead of the consumer: enough that a slow consumer cannot delay a time stamp, and still bounded. */
const MAX_READS_AHEAD = 64;

export class Outlet<Item> {
  readonly #items: Item[] = [];
  #head = 0;
  #readsAhead = 0;
  #wake: (() => void) | null = null;
  #makeRoom: (() => void) | null = null;
  #discarding = false;

  get empty(): boolean {
    return this.#head === this.#items.length;
  }
  /** The consumer is waiting for the next item. */
  get awaited(): boolean {
    return this.#wake !== null;
  }
  get full(): boolean {
    return this.#readsAhead >= MAX_READS_AHEAD;
  }

  push(item: Item): void {
    if (!this.#discarding) this.#items.push(item);
  }

  /** The read loop is done with one read: who waits may look. */
  flush(): void {
    if (this.empty) return;
    this.#readsAhead++;
    this.wake();
  }

  take(): Item | undefined {
    if (this.empty) return undefined;
    const item = this.#items[this.#head++];
    if (this.empty) this.#clear();
    return item;
  }

  /** Runs once, at the next flush or end. */
  whenReady(run: () => void): void {
    this.#wake = run;
  }

  wake(): void {
    const wake = this.#wake;
    this.#wake = null;
    wake?.();
  }

  /** Resolves when the consumer has caught up. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#makeRoom = resolve;
    });
  }

  /** Nobody will read: what is here goes, and so does what still comes. */
  discard(): void {
    this.#discarding = true;
    this.#clear();
  }

  #clear(): void {
    this.#items.length = 0;
    this.#head = 0;
    this.#readsAhead = 0;
    this.#makeRoom?.();
    this.#makeRoom = null;
  }
}
