import { afterEach, describe, expect, test, vi } from "vitest";
import { VirtualClock } from "../../src/testing/virtual-clock.ts";

afterEach(() => void vi.useRealTimers());

describe("VirtualClock", () => {
  test("stands still until it is moved", () => {
    const clock = new VirtualClock();
    expect(clock.now()).toBe(0);
    expect(new Date(clock.wallNow()).toISOString()).toBe("2025-01-01T00:00:00.000Z");
  });

  test("fires timers at their time, in order of time and then of arming", async () => {
    const clock = new VirtualClock();
    const fired: string[] = [];
    const note = (name: string) => () => void fired.push(`${name}@${clock.now()}`);
    clock.after(20, note("late"));
    clock.after(10, note("first"));
    clock.after(10, note("second"));
    await clock.advance(15);
    expect(fired).toEqual(["first@10", "second@10"]);
    expect(clock.now()).toBe(15);
    expect(clock.pending).toBe(1);
    await clock.advance(5);
    expect(fired).toEqual(["first@10", "second@10", "late@20"]);
    expect(clock.wallNow()).toBe(Date.UTC(2025, 0, 1) + 20);
  });

  test("fires a timer armed on the way if its time falls inside", async () => {
    const clock = new VirtualClock();
    const fired: number[] = [];
    const tick = () => {
      fired.push(clock.now());
      clock.after(3, tick);
    };
    tick();
    await clock.advance(10);
    expect(fired).toEqual([0, 3, 6, 9]);
  });

  test("a cancelled timer never fires, and cancelling twice or late hurts nobody", async () => {
    const clock = new VirtualClock();
    const run = vi.fn();
    const cancel = clock.after(5, run);
    const kept = vi.fn();
    clock.after(5, kept);
    cancel();
    cancel();
    expect(clock.pending).toBe(1);
    await clock.runAll();
    cancel();
    expect(run).not.toHaveBeenCalled();
    expect(kept).toHaveBeenCalledOnce();
  });

  test("Infinity is never; a negative delay is now; what is not a number is refused", async () => {
    const clock = new VirtualClock();
    const run = vi.fn();
    clock.after(Infinity, run)();
    expect(clock.pending).toBe(0);
    clock.after(-5, run);
    await clock.advance(0);
    expect(run).toHaveBeenCalledOnce();
    expect(() => clock.after(Number.NaN, run)).toThrow("after(ms) takes a number, got NaN");
    await expect(clock.advance(-1)).rejects.toThrow("advance(ms) takes a finite number ≥ 0, got -1");
    await expect(clock.advance(Infinity)).rejects.toThrow(TypeError);
  });

  test("promises settle between timers: a sleeping loop wakes each time", async () => {
    const clock = new VirtualClock();
    const sleep = (ms: number) => new Promise<void>((resolve) => void clock.after(ms, resolve));
    const woke: number[] = [];
    const loop = (async () => {
      for (let round = 0; round < 3; round++) {
        await sleep(100);
        for (let hop = 0; hop < 50; hop++) await null;
        woke.push(clock.now());
      }
    })();
    await clock.advance(250);
    expect(woke).toEqual([100, 200]);
    await clock.runAll();
    await loop;
    expect(woke).toEqual([100, 200, 300]);
  });

  test("bytes of a stream pass through two more streams and a Response before time moves on", async () => {
    const clock = new VirtualClock();
    const seen: string[] = [];
    let left = 3;
    const source = new ReadableStream<Uint8Array>({
      pull: (controller) =>
        new Promise<void>((resolve) => {
          if (left-- === 0) return resolve(controller.close());
          clock.after(10, () => resolve(controller.enqueue(new TextEncoder().encode(`${clock.now()} `))));
        }),
    });
    const body = source.pipeThrough(new TransformStream()).pipeThrough(new TransformStream());
    const reader = (new Response(body).body as ReadableStream<Uint8Array>).getReader();
    const reading = (async () => {
      for (let read = await reader.read(); !read.done; read = await reader.read())
        seen.push(`${new TextDecoder().decode(read.value)}read at ${clock.now()}`);
    })();
    await clock.runAll();
    await reading;
    expect(seen).toEqual(["10 read at 10", "20 read at 20", "30 read at 30"]);
  });

  test("fake timers of the test runner do not freeze it", async () => {
    vi.useFakeTimers();
    const clock = new VirtualClock();
    const run = vi.fn();
    clock.after(1_000, run);
    await clock.runAll();
    expect(run).toHaveBeenCalledOnce();
  });

  test("a timer that throws rejects the advance, and the clock goes on", async () => {
    const clock = new VirtualClock();
    const run = vi.fn();
    clock.after(1, () => {
      throw new Error("from the timer");
    });
    clock.after(2, run);
    await expect(clock.advance(5)).rejects.toThrow("from the timer");
    await clock.advance(5);
    expect(run).toHaveBeenCalledOnce();
  });

  test("two advances at once never move time backwards", async () => {
    const clock = new VirtualClock();
    const seen: number[] = [];
    for (const at of [1, 2, 3, 4]) clock.after(at, () => void seen.push(clock.now()));
    await Promise.all([clock.advance(4), clock.advance(2)]);
    expect(seen).toEqual([1, 2, 3, 4]);
    expect(clock.now()).toBe(4);
  });

  test("an endless loop of timers is an error that says so", async () => {
    const clock = new VirtualClock();
    const again = () => void clock.after(1, again);
    again();
    await expect(clock.runAll()).rejects.toThrow("a timer re-arms itself");
  });
});
