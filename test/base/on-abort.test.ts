import { describe, expect, test } from "vitest";
import { onAbort } from "../../src/base/on-abort.ts";
import { CountedController } from "../leaks/signals.ts";

describe("a caller's signal", () => {
  test("has one listener however many calls share it, and none when the last has stopped", () => {
    const { signal, listeners } = new CountedController();
    const stops = Array.from({ length: 50 }, () => onAbort(signal, () => {}));
    expect(listeners.size).toBe(1);
    for (const stop of stops.slice(1)) stop();
    expect(listeners.size).toBe(1);
    stops[0]?.();
    expect(listeners.size).toBe(0);
  });

  test("tells every call that still listens, in the order in which they began", () => {
    const controller = new CountedController();
    const told: string[] = [];
    onAbort(controller.signal, () => told.push("first"));
    const stop = onAbort(controller.signal, () => told.push("second"));
    onAbort(controller.signal, () => told.push("third"));
    stop();
    controller.abort();
    expect(told).toEqual(["first", "third"]);
  });

  test("may be left by a call while it tells, and listened to again afterwards", () => {
    const controller = new CountedController();
    const told: string[] = [];
    const stop = onAbort(controller.signal, () => {
      stop();
      stop();
      told.push("once");
    });
    controller.abort();
    expect(controller.listeners.size).toBe(0);
    const again = onAbort(controller.signal, () => told.push("never: it is aborted already"));
    expect(controller.listeners.size).toBe(1);
    again();
    expect([told, controller.listeners.size]).toEqual([["once"], 0]);
  });
});
