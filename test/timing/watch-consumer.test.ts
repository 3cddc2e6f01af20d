import { describe, expect, it } from "vitest";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";
import { Watch } from "../../src/timing/watch.ts";

const OFF = Infinity;
const LIMIT_MS = 10_000;

/** A watch over an answer that lies ready, and when its consumer limit passed. */
function waiting() {
  const clock = new VirtualClock();
  const passedAt: number[] = [];
  const limits = {
    connectMs: OFF,
    firstTokenMs: OFF,
    graceMs: 0,
    idleMs: OFF,
    stallMs: OFF,
    gateMs: OFF,
    totalMs: OFF,
  };
  const watch = new Watch(
    clock,
    { ...limits, consumerMs: LIMIT_MS, callStartedAt: clock.now() },
    {
      expired: () => {
        passedAt.push(clock.now());
        watch.stop();
      },
      graceBegan: () => {},
      suspended: () => {},
    },
    clock.now(),
  );
  watch.awaitConsumer(clock.now());
  return { clock, watch, passedAt };
}

describe("the consumer limit", () => {
  it("passes exactly its length after the last of a few pieces was taken", async () => {
    const { clock, watch, passedAt } = waiting();
    for (let piece = 0; piece < 3; piece++) {
      await clock.advance(1_000);
      watch.consumerTook();
    }
    await clock.advance(3 * LIMIT_MS);
    expect(passedAt).toEqual([3_000 + LIMIT_MS]);
  });

  it("never passes while pieces are taken, however slowly and however many", async () => {
    const { clock, watch, passedAt } = waiting();
    for (let piece = 0; piece < 100; piece++) {
      await clock.advance(LIMIT_MS - 1);
      watch.consumerTook();
    }
    expect(passedAt).toEqual([]);
    watch.stop();
  });

  it("is late by less than itself where many were taken at once before the consumer stopped", async () => {
    const { clock, watch, passedAt } = waiting();
    await clock.advance(1_000);
    for (let piece = 0; piece < 45; piece++) watch.consumerTook();
    await clock.advance(3 * LIMIT_MS);
    expect(passedAt).toHaveLength(1);
    expect(passedAt[0]).toBeGreaterThanOrEqual(1_000 + LIMIT_MS);
    expect(passedAt[0]).toBeLessThan(1_000 + 2 * LIMIT_MS + 1);
  });

  it("does not run where nothing lies ready", async () => {
    const { clock, watch, passedAt } = waiting();
    watch.consumerTook();
    watch.awaitConsumer(OFF);
    await clock.advance(10 * LIMIT_MS);
    expect(passedAt).toEqual([]);
    watch.stop();
  });

  it("does not pass where a piece was taken after its timer rang", async () => {
    const { clock, watch, passedAt } = waiting();
    for (let piece = 0; piece < 17; piece++) watch.consumerTook();
    clock.after(LIMIT_MS, () => watch.consumerTook());
    await clock.advance(LIMIT_MS);
    expect(passedAt).toEqual([]);
    await clock.advance(LIMIT_MS);
    expect(passedAt).toEqual([2 * LIMIT_MS]);
  });
});
