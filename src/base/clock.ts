/** Time as a parameter: every other file takes a `Clock` and none reads a global timer. */

export interface Clock {
  /** Monotonic milliseconds; only differences mean anything. */
  now(): number;
  /** Epoch milliseconds; only to read dates that servers send and to date records. */
  wallNow(): number;
  /** Returns the function that cancels it. `Infinity` means never. */
  after(ms: number, run: () => void): () => void;
}

/** `setTimeout` takes a signed 32-bit number; anything above fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The last monotonic reading: one for the whole module, since the platform has one such clock. */
let last = 0;

/**
 * The platform's clocks and timers, looked up at call time so that fake timers can replace them.
 * `now` never goes backwards and never returns a number that is not finite.
 */
export const systemClock: Clock = {
  now() {
    const reading = performance.now();
    if (reading > last && reading < Infinity) last = reading;
    return last;
  },
  wallNow: () => Date.now(),
  after(ms, run) {
    if (ms === Infinity) return () => {};
    if (ms > LONGEST_TIMER_MS) return afterLong(ms, run);
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** In as many timers as it takes. */
function afterLong(ms: number, run: () => void): () => void {
  let cancel = systemClock.after(LONGEST_TIMER_MS, () => {
    cancel = systemClock.after(ms - LONGEST_TIMER_MS, run);
  });
  return () => cancel();
}
