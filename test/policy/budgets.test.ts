import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryBudgetDefaults } from "../../src/policy/defaults.ts";
import { createHedgeCredit } from "../../src/policy/hedge-credit.ts";
import { createRetryBudget } from "../../src/policy/retry-budget.ts";

function spendAll(budget: ReturnType<typeof createRetryBudget>, now: number): number {
  let spent = 0;
  while (budget.mayRetry(now)) {
    budget.spend(now);
    spent++;
  }
  return spent;
}

describe("the retry budget", () => {
  it("gives three retries a minute to a client that hardly calls", () => {
    const budget = createRetryBudget(retryBudgetDefaults);
    budget.callStarted(0);
    expect(spendAll(budget, 0)).toBe(3);
    expect(spendAll(budget, 59_999)).toBe(0);
    expect(spendAll(budget, 62_000)).toBe(3);
  });

  it("gives a fifth of the calls of the last minute to one that calls a lot", () => {
    const budget = createRetryBudget(retryBudgetDefaults);
    for (let i = 0; i < 1_000; i++) budget.callStarted(i);
    expect(spendAll(budget, 1_000)).toBe(200);
    expect(spendAll(budget, 30_000)).toBe(0);
  });

  it("does not forget a retry before a whole window has passed", () => {
    const budget = createRetryBudget({ ...retryBudgetDefaults, minPerWindow: 1 });
    expect(budget.mayRetry(0)).toBe(true);
    budget.spend(999);
    expect(budget.mayRetry(60_998)).toBe(false);
    expect(budget.mayRetry(61_000)).toBe(true);
  });

  it("never spends more than max(minimum, ratio × calls) in a window that ends with a retry", () => {
    const step = fc.record({ wait: fc.oneof(fc.nat({ max: 50 }), fc.nat({ max: 1_500 })), retry: fc.boolean() });
    const settings = fc.record({
      ratio: fc.double({ min: 0, max: 1, noNaN: true }),
      minPerWindow: fc.nat({ max: 4 }),
      windowMs: fc.integer({ min: 1, max: 2_000 }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), settings, (steps, { ratio, minPerWindow, windowMs }) => {
        const budget = createRetryBudget({ ratio, minPerWindow, windowMs });
        const calls: number[] = [];
        const retries: number[] = [];
        let now = 0;
        for (const { wait, retry } of steps) {
          now += wait;
          const within = (times: number[]) => times.filter((at) => at > now - windowMs).length;
          if (!retry) {
            budget.callStarted(now);
            calls.push(now);
          } else if (budget.mayRetry(now)) {
            budget.spend(now);
            retries.push(now);
            expect(within(retries)).toBeLessThanOrEqual(Math.max(minPerWindow, ratio * within(calls)));
          } else {
            const nearly = Math.max(minPerWindow, ratio * calls.filter((at) => at > now - (windowMs * 59) / 60).length);
            const recent = retries.filter((at) => at > now - (windowMs * 61) / 60).length;
            expect(recent + 1).toBeGreaterThan(nearly);
          }
        }
      }),
    );
  });
});

describe("the credit for early hedges", () => {
  it("starts with one, and ten calls earn one more", () => {
    const credit = createHedgeCredit();
    expect(credit.mayHedge(2_000)).toBe(true);
    credit.spend(2_000);
    for (let i = 0; i < 9; i++) credit.callStarted();
    expect(credit.mayHedge(2_000)).toBe(false);
    credit.callStarted();
    expect(credit.mayHedge(2_000)).toBe(true);
  });

  it("saves ten hedges at most", () => {
    const credit = createHedgeCredit();
    for (let i = 0; i < 10_000; i++) credit.callStarted();
    let hedges = 0;
    for (; credit.mayHedge(0); hedges++) credit.spend(0);
    expect(hedges).toBe(10);
  });

  it("is neither needed nor spent after ten seconds of silence", () => {
    const credit = createHedgeCredit();
    credit.spend(9_999);
    expect(credit.mayHedge(9_999)).toBe(false);
    expect(credit.mayHedge(10_000)).toBe(true);
    for (let i = 0; i < 10; i++) {
      credit.spend(10_000);
      credit.callStarted();
    }
    expect(credit.mayHedge(9_999)).toBe(true);
  });
});
