import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSlidingCount } from "../../src/policy/sliding-count.ts";

describe("a count over a sliding window", () => {
  it("forgets slot by slot", () => {
    const count = createSlidingCount(1_000, 60);
    count.add(0, 1);
    count.add(1_500, 2);
    expect(count.total(59_999)).toBe(3);
    expect(count.total(60_000)).toBe(2);
    expect(count.total(61_000)).toBe(0);
  });

  it("does not care where the clock's zero is", () => {
    const count = createSlidingCount(10, 3);
    count.add(-1_000_005, 1);
    expect(count.total(-1_000_000)).toBe(1);
    expect(count.total(-999_970)).toBe(0);
  });

  it("drops what is older than the window when it comes", () => {
    const count = createSlidingCount(10, 3);
    count.add(100, 1);
    count.add(90, 1);
    count.add(500, 1);
    count.add(400, 1);
    count.add(489, 1);
    expect(count.total(500)).toBe(2);
  });

  it("holds everything of the last slots − 1 slots and nothing older than slots slots, in any order of arrival", () => {
    const event = fc.record({
      at: fc.nat({ max: 3_000 }),
      late: fc.nat({ max: 300 }),
      amount: fc.integer({ min: 1, max: 4 }),
    });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60 }), fc.integer({ min: 1, max: 20 }), (events, slots) => {
        const slotMs = 10;
        const count = createSlidingCount(slotMs, slots);
        const seen: { at: number; amount: number }[] = [];
        count.add(0, 0);
        for (const { at: now, late, amount } of [...events].sort((a, b) => a.at - b.at)) {
          const at = Math.max(0, now - late);
          count.total(now);
          count.add(at, amount);
          seen.push({ at, amount });
          const sumSince = (oldest: number) =>
            seen.filter((one) => one.at > oldest).reduce((sum, one) => sum + one.amount, 0);
          expect(count.total(now)).toBeGreaterThanOrEqual(sumSince(now - (slots - 1) * slotMs));
          expect(count.total(now)).toBeLessThanOrEqual(sumSince(now - slots * slotMs));
        }
      }),
    );
  });
});
