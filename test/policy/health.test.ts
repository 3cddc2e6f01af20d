import { describe, expect, it } from "vitest";
import type { HealthOptions } from "../../src/policy/call-health.ts";
import { breakerDefaults, retryBudgetDefaults } from "../../src/policy/defaults.ts";
import { createHealthState, type HealthState } from "../../src/policy/health.ts";
import { httpError } from "./failures.ts";

const options: HealthOptions = {
  breaker: { ...breakerDefaults, minSpanMs: 0 },
  retryBudget: retryBudgetDefaults,
  random: () => 0.5,
  onChange: () => {},
};
const unavailable = httpError(503);

/** Calls of one failed attempt each, until the breaker opens. */
function breakAt(health: HealthState, endpoint: string, now = 0): void {
  for (let i = 0; i < 5; i++) {
    const call = health.callStarted(now, options);
    call.begin(endpoint, now).failed(unavailable, now);
    call.ended(now);
  }
}

describe("the standing of an endpoint", () => {
  it("is usable before it was ever tried", () => {
    const call = createHealthState().callStarted(0, options);
    expect(call.standing("a", 0)).toBe("usable");
  });

  it("is breaker_open until the open time is over, and while a probe is under way", () => {
    const health = createHealthState();
    breakAt(health, "a");
    const call = health.callStarted(0, options);
    expect(call.standing("a", 4_999)).toBe("breaker_open");
    expect(call.standing("a", 5_000)).toBe("usable");
    const probe = call.begin("a", 5_000);
    expect(call.standing("a", 5_000)).toBe("breaker_open");
    probe.opened(5_800);
    expect(call.standing("a", 5_800)).toBe("usable");
  });

  it("is usable for a client without breakers, whose attempts count nothing", () => {
    const health = createHealthState();
    breakAt(health, "a");
    const call = health.callStarted(0, { ...options, breaker: false });
    expect(call.standing("a", 0)).toBe("usable");
    call.begin("a", 0).opened(10);
    expect(health.states(10)).toEqual({ a: "open" });
  });

  it("is resting for as long as a 429, 503 or 529 asks, and the latest such moment counts", () => {
    const call = createHealthState().callStarted(0, options);
    call.begin("a", 0).failed(httpError(429, { retryAfterMs: 8_000 }), 100);
    call.begin("a", 0).failed(httpError(503, { retryAfterMs: 2_000 }), 200);
    expect(call.standing("a", 8_099)).toBe("resting");
    expect(call.standing("a", 8_100)).toBe("usable");
    expect(call.standing("b", 200)).toBe("usable");
  });

  it("is resting for a minute at most", () => {
    const call = createHealthState().callStarted(0, options);
    call.begin("a", 0).failed(httpError(429, { retryAfterMs: 3_600_000 }), 0);
    expect(call.standing("a", 59_999)).toBe("resting");
    expect(call.standing("a", 60_000)).toBe("usable");
  });
});

describe("where none is usable", () => {
  it("the one usable first is chosen, the earlier listed of equals", () => {
    const health = createHealthState();
    breakAt(health, "a", 100);
    breakAt(health, "b", 50);
    const call = health.callStarted(100, options);
    expect(call.usableFirst(["a", "b"])).toBe("b");
    call.begin("b", 100).failed(httpError(503, { retryAfterMs: 30_000 }), 100);
    expect(call.usableFirst(["a", "b"])).toBe("a");
    expect(call.usableFirst(["c", "d"])).toBe("c");
    expect(call.usableFirst([])).toBeUndefined();
  });
});

describe("a machine that slept", () => {
  it("for more than a minute distrusts its open breakers", () => {
    const health = createHealthState();
    const heard: string[] = [];
    breakAt(health, "a");
    breakAt(health, "b");
    health.callStarted(1, options).begin("c", 1).opened(1);
    const call = health.callStarted(1, {
      ...options,
      onChange: (endpoint, state) => heard.push(`${endpoint} ${state}`),
    });
    call.suspended(60_000);
    expect(health.states(1)).toEqual({ a: "open", b: "open", c: "closed" });
    call.suspended(60_001);
    expect(health.states(1)).toEqual({ a: "half_open", b: "half_open", c: "closed" });
    expect(heard).toEqual(["a half_open", "b half_open"]);
    expect(call.standing("a", 1)).toBe("usable");
  });
});

describe("the budgets", () => {
  it("are shared by all calls of a state", () => {
    const health = createHealthState();
    const spend = () => {
      const call = health.callStarted(0, options);
      if (!call.mayRetry(0)) return 0;
      call.spendRetry(0);
      return 1;
    };
    expect(Array.from({ length: 10 }, spend)).toEqual([1, 1, 1, 0, 0, 0, 0, 0, 0, 0]);
    expect(Array.from({ length: 10 }, spend).reduce<number>((a, b) => a + b, 0)).toBe(1);
  });

  it("do not bind a client that has switched them off", () => {
    const health = createHealthState();
    const free = health.callStarted(0, { ...options, retryBudget: false });
    for (let i = 0; i < 100; i++) free.spendRetry(0);
    expect(free.mayRetry(0)).toBe(true);
    expect(health.callStarted(0, options).mayRetry(0)).toBe(true);
  });

  it("let a hedge be earned by calls", () => {
    const health = createHealthState();
    const hedges = Array.from({ length: 40 }, () => {
      const call = health.callStarted(0, options);
      if (!call.mayHedge(1_900)) return 0;
      call.spendHedge(1_900);
      return 1;
    });
    expect(hedges.reduce<number>((a, b) => a + b, 0)).toBe(5);
    expect(health.callStarted(0, options).mayHedge(30_000)).toBe(true);
  });
});

describe("memory", () => {
  it("keeps the 1 024 endpoints used last, whatever names strangers invent", () => {
    const health = createHealthState();
    breakAt(health, "busy");
    const call = health.callStarted(0, options);
    for (let i = 0; i < 5_000; i++) {
      call.begin(`stranger-${i}`, 0);
      if (i % 1_000 === 0) call.begin("busy", 0);
    }
    expect(Object.keys(health.states(0)).length).toBe(1_024);
    expect(health.states(0).busy).toBe("open");
  });

  it("takes any name, and no name for a part of an object", () => {
    const health = createHealthState();
    breakAt(health, "__proto__");
    const states = health.states(0);
    expect(Object.keys(states)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(states)).toBe(Object.prototype);
  });
});
