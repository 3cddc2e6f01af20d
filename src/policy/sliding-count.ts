/** A sum over the most recent stretch of time, kept in slots: constant memory and constant time whatever the load. */

export interface SlidingCount {
  /** Times may come in any order; one that is older than the window is not counted. */
  add(at: number, amount: number): void;
  /** Of everything not yet older than `slots` slots, the current one included. */
  total(now: number): number;
}

/** The window is `slots × slotMs` long at its longest and one slot shorter at its shortest. */
export function createSlidingCount(slotMs: number, slots: number): SlidingCount {
  const amounts = new Float64Array(slots);
  let origin: number | null = null;
  let newest = 0;
  let sum = 0;

  /** The slot of a moment; never negative for what counts, whatever the clock's zero is. */
  const slotOf = (at: number) => {
    origin ??= at;
    return Math.floor((at - origin) / slotMs);
  };

  function advanceTo(slot: number): void {
    if (slot - newest >= slots) {
      amounts.fill(0);
      sum = 0;
      newest = slot;
    }
    while (newest < slot) {
      const index = ++newest % slots;
      sum -= amounts[index] as number;
      amounts[index] = 0;
    }
  }

  return {
    add(at, amount) {
      const slot = slotOf(at);
      advanceTo(slot);
      if (slot < 0 || newest - slot >= slots) return;
      amounts[slot % slots] = (amounts[slot % slots] as number) + amount;
      sum += amount;
    },
    total(now) {
      advanceTo(slotOf(now));
      return sum;
    },
  };
}
