/** Time that moves only when a test says so. */
import type { Clock } from "../base/clock.ts";

/** Where `wallNow()` starts: a fixed date, so that records of a test are the same every time. */
const WALL_START_MS = Date.UTC(2025, 0, 1);
/** So many timers in one `runAll()` can only be a loop that re-arms itself. */
const MAX_TIMERS = 50_000;
/** Streams hand a chunk on through several promise jobs and event-loop turns; this many quiet ones in a row end the wait. */
const QUIET_TURNS = 4;
const MAX_TURNS = 200;

interface Timer {
  readonly at: number;
  readonly sequence: number;
  readonly run: () => void;
}

/**
 * A `Clock` for tests: hand it to `createClient` and to `scriptedFetch`, then move time.
 * It starts at 0 and stands still; `wallNow()` starts at 2025-01-01T00:00:00Z. It works under `vi.useFakeTimers()` too.
 * @example
 * const clock = new VirtualClock();
 * const answer = client.text(body);
 * await clock.runAll();
 * expect(await answer).toBe("Hello");
 */
export class VirtualClock implements Clock {
  #now = 0;
  #sequence = 0;
  /** In the order in which they fire. */
  readonly #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return WALL_START_MS + this.#now;
  }

  after(ms: number, run: () => void): () => void {
    if (typeof ms !== "number" || Number.isNaN(ms)) throw new TypeError(`after(ms) takes a number, got ${String(ms)}`);
    const timer: Timer = { at: this.#now + Math.max(0, ms), sequence: this.#sequence++, run };
    if (ms === Infinity) return () => {};
    this.#timers.splice(this.#placeOf(timer), 0, timer);
    return () => {
      const place = this.#placeOf(timer);
      if (this.#timers[place] === timer) this.#timers.splice(place, 1);
      // A cancelled timer is activity: what cancelled it has more to do.
      this.#sequence++;
    };
  }

  /** How many timers are waiting. 0 after a call has ended says that it left none behind. */
  get pending(): number {
    return this.#timers.length;
  }

  /**
   * Moves time by `ms`, from timer to timer, and lets promises settle before the first, after each and at the end.
   * @throws TypeError if `ms` is negative or not finite; rejects with what a timer's function throws.
   */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0 && ms < Infinity)) throw new TypeError(`advance(ms) takes a finite number ≥ 0, got ${String(ms)}`);
    const target = this.#now + ms;
    await this.#settle();
    while (this.#runNext(target)) await this.#settle();
    if (this.#now < target) this.#now = target;
  }

  /**
   * Moves time from timer to timer until nothing is scheduled.
   * @throws Error after 50 000 timers: something re-arms itself for ever. Use `advance(ms)` there.
   */
  async runAll(): Promise<void> {
    await this.#settle();
    for (let count = 0; this.#runNext(Infinity); count++) {
      if (count === MAX_TIMERS)
        throw new Error(
          `runAll() ran ${MAX_TIMERS} timers and ${this.pending} are left: a timer re-arms itself; use advance(ms)`,
        );
      await this.#settle();
    }
  }

  #runNext(limit: number): boolean {
    const next = this.#timers[0];
    if (next === undefined || next.at > limit) return false;
    this.#timers.shift();
    // Two `advance()` at once may have taken time past this timer.
    if (next.at > this.#now) this.#now = next.at;
    next.run();
    return true;
  }

  /** Gives everything that is ready its turn: until nothing was scheduled or cancelled for some turns of the event loop. */
  async #settle(): Promise<void> {
    for (let turns = 0, quiet = 0; quiet < QUIET_TURNS && turns < MAX_TURNS; turns++) {
      const before = this.#sequence;
      await turnOfTheLoop();
      quiet = this.#sequence === before ? quiet + 1 : 0;
    }
  }

  /** The index of `timer`, or where it belongs: binary search by time, then sequence. */
  #placeOf(timer: Timer): number {
    let low = 0;
    let high = this.#timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = this.#timers[middle] as Timer;
      if (other.at < timer.at || (other.at === timer.at && other.sequence < timer.sequence)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Taken when the module loads, so that fake timers, which replace the globals, cannot freeze this clock. */
const turnOfTheLoop = ((): (() => Promise<void>) => {
  const { setImmediate, setTimeout, MessageChannel } = globalThis as Partial<typeof globalThis>;
  if (setImmediate) return () => new Promise((resolve) => void setImmediate(resolve));
  // Browsers stretch nested zero timeouts to 4 ms; a message takes one turn.
  if (MessageChannel)
    return () =>
      new Promise((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          port1.close();
          resolve();
        };
        port2.postMessage(null);
      });
  return () => new Promise((resolve) => void setTimeout?.(resolve, 0));
})();
