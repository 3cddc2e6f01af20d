/** Time that jumps from event to event: a heap of timers, and after each of them everything that is ready runs. */
import type { Clock } from "../../src/index.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  run: (() => void) | null;
}

const isBefore = (a: Timer, b: Timer) => a.at < b.at || (a.at === b.at && a.order < b.order);

/** Promise jobs run between two ticks, and nothing of a simulation needs the event loop to turn. */
const settled = () => new Promise<void>((resolve) => process.nextTick(resolve));

export class SimulationClock implements Clock {
  #now = 0;
  #order = 0;
  readonly #heap: Timer[] = [];

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return this.#now;
  }

  after(ms: number, run: () => void): () => void {
    if (ms === Infinity) return () => {};
    const timer: Timer = { at: this.#now + Math.max(0, ms), order: this.#order++, run };
    this.#push(timer);
    // It stays in the heap, empty, until its time comes: taking it out would cost more.
    return () => {
      timer.run = null;
    };
  }

  /** Until nothing is scheduled any more. */
  async runAll(): Promise<void> {
    await settled();
    for (let next = this.#pop(); next; next = this.#pop()) {
      if (next.run === null) continue;
      this.#now = next.at;
      next.run();
      await settled();
    }
  }

  #push(timer: Timer): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above] as Timer;
      if (isBefore(parent, timer)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = timer;
  }

  #pop(): Timer | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (heap.length > 0 && last) this.#sink(last);
    return first;
  }

  /** Puts a timer in the place of the first. */
  #sink(timer: Timer): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && isBefore(heap[below + 1] as Timer, heap[below] as Timer)) below++;
      const child = heap[below] as Timer;
      if (isBefore(timer, child)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = timer;
  }
}
