import { describe, expect, it } from "vitest";
import type { HealthOptions } from "../../src/policy/call-health.ts";
import { breakerDefaults, retryBudgetDefaults } from "../../src/policy/defaults.ts";
import { createHealthState, type HealthState } from "../../src/policy/health.ts";
import { failureOf, httpError } from "./failures.ts";

const options: HealthOptions = {
  breaker: { ...breakerDefaults, minSpanMs: 0 },
  retryBudget: retryBudgetDefaults,
  random: () => 0.5,
  onChange: () => {},
};
const unavailable = httpError(503);
const refused = failureOf({ reason: "connection_failed" });
const silence = failureOf({ reason: "timeout_first_token", httpStatus: 200 });

/** Calls of one failed attempt each, until the breaker opens. */
function break_(health: HealthState, endpoint: string, now = 0): void {
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
    break_(health, "a");
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
    break_(health, "a");
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
    break_(health, "a", 100);
    break_(health, "b", 50);
    const call = health.callStarted(100, options);
    expect(call.usableFirst(["a", "b"])).toBe("b");
    call.begin("b", 100).failed(httpError(503, { retryAfterMs: 30_000 }), 100);
    expect(call.usableFirst(["a", "b"])).toBe("a");
    expect(call.usableFirst(["c", "d"])).toBe("c");
    expect(call.usableFirst([])).toBeUndefined();
  });
});

describe("an attempt", () => {
  const attempts = (
    count: number,
    tell: (ticket: ReturnType<ReturnType<HealthState["callStarted"]>["begin"]>, now: number) => void,
  ) => {
    const health = createHealthState();
    for (let i = 0; i < count; i++) {
      const call = health.callStarted(i, options);
      tell(call.begin("a", i), i);
      call.ended(i);
    }
    return health.states(count).a;
  };

  it("that fails after its gate had opened counts as a failure after a success", () => {
    const state = attempts(5, (ticket, now) => {
      ticket.opened(now);
      ticket.failed(failureOf({ reason: "connection_lost", httpStatus: 200 }), now);
    });
    // No row ever forms, but five attempts were five successes and five failures.
    expect(state).toBe("open");
  });

  it("counts once, whatever is told afterwards", () => {
    const health = createHealthState();
    const call = health.callStarted(0, options);
    const ticket = call.begin("a", 0);
    for (let i = 0; i < 20; i++) {
      ticket.failed(unavailable, 0);
      ticket.opened(0);
      ticket.lost(20_000);
      ticket.released();
    }
    expect(health.states(0)).toEqual({ a: "closed" });
    for (let i = 0; i < 4; i++) call.begin("a", 0).failed(unavailable, 0);
    expect(health.states(0)).toEqual({ a: "open" });
  });

  it.each(["refused", "aborted", "configuration", "timeout_first_token", "timeout_gate"] as const)(
    "that ends with %s weighs nothing",
    (reason) => {
      expect(attempts(12, (ticket, now) => ticket.failed(failureOf({ reason, httpStatus: 200 }), now))).toBe("closed");
    },
  );

  it("that lost its race soon weighs nothing", () => {
    expect(attempts(12, (ticket, now) => ticket.lost(now + 9_000))).toBe("closed");
  });

  it("that lost its race after ten seconds was silent; three in a row are enough", () => {
    const health = createHealthState();
    for (let i = 1; i <= 3; i++) {
      expect(health.states(0).a ?? "closed").toBe("closed");
      const call = health.callStarted(i, options);
      const first = call.begin("a", i);
      call.begin("b", 30_000 + i).opened(31_000 + i);
      first.lost(31_000 + i);
      call.ended(40_000);
    }
    expect(health.states(31_003)).toEqual({ a: "open", b: "closed" });
  });

  it("that was a probe gives its place back on every path", () => {
    const endings = [
      (ticket: any, now: number) => ticket.released(now),
      (ticket: any, now: number) => ticket.lost(now),
      (ticket: any, now: number) => ticket.failed(failureOf({ reason: "aborted" }), now),
      (ticket: any, now: number) => ticket.failed(refused, now),
      (ticket: any, now: number) => ticket.failed(failureOf({ reason: "timeout_first_token" }), now),
    ];
    for (const end of endings) {
      const health = createHealthState();
      break_(health, "a");
      const call = health.callStarted(5_000, options);
      end(call.begin("a", 5_000), 5_001);
      call.ended(5_001);
      expect(health.callStarted(5_001, options).standing("a", 5_001)).toBe("usable");
      expect(health.states(5_001)).toEqual({ a: "half_open" });
    }
  });

  it("that is begun while the breaker is open, because none is usable, closes it by its success", () => {
    const health = createHealthState();
    break_(health, "a");
    health.callStarted(10, options).begin("a", 10).opened(900);
    expect(health.states(900)).toEqual({ a: "closed" });
  });
});

describe("failures of a call in which no endpoint gave one byte", () => {
  it("are forgotten when it ends: the caller may be offline", () => {
    const health = createHealthState();
    for (let i = 0; i < 50; i++) {
      const call = health.callStarted(i, options);
      call.begin("a", i).failed(refused, i);
      call.begin("b", i).failed(failureOf({ reason: "timeout_connect" }), i);
      call.begin("b", i).failed(failureOf({ reason: "timeout_first_token" }), i + 10_000);
      call.ended(i + 10_000);
    }
    expect(health.states(20_000)).toEqual({ a: "closed", b: "closed" });
  });

  it("count from the first byte of any other endpoint on", () => {
    const health = createHealthState();
    for (let i = 0; i < 5; i++) {
      expect(health.states(i).a ?? "closed").toBe("closed");
      const call = health.callStarted(i, options);
      call.begin("a", i).failed(refused, i);
      const second = call.begin("b", i);
      if (i === 4) expect(health.states(i).a).toBe("closed");
      second.heard(i);
    }
    expect(health.states(5)).toEqual({ a: "open", b: "closed" });
  });

  it("count if an earlier endpoint had answered, or the failure itself has a status", () => {
    const health = createHealthState();
    for (let i = 0; i < 5; i++) {
      const call = health.callStarted(i, options);
      call.begin("b", i).failed(httpError(400), i);
      call.begin("a", i).failed(refused, i);
    }
    break_(health, "c");
    expect(health.states(5)).toEqual({ b: "closed", a: "open", c: "open" });
  });

  it("are silent ones too: three calls without a byte from anywhere open nothing", () => {
    const health = createHealthState();
    for (let i = 0; i < 5; i++) {
      const call = health.callStarted(i * 60_000, options);
      call.begin("a", i * 60_000).failed(failureOf({ reason: "timeout_first_token" }), i * 60_000 + 50_000);
      call.ended(i * 60_000 + 50_000);
    }
    expect(health.states(300_000)).toEqual({ a: "closed" });
    for (let i = 5; i < 8; i++) {
      const call = health.callStarted(i * 60_000, options);
      call.begin("a", i * 60_000).failed(silence, i * 60_000 + 50_000);
    }
    // Now headers came each time, and nothing after them.
    expect(health.states(470_000)).toEqual({ a: "open" });
  });

  it("span the time at which they happened and not the one at which they were judged", () => {
    const health = createHealthState();
    const spanning = { ...options, breaker: breakerDefaults };
    const calls = Array.from({ length: 8 }, (_, i) => {
      const call = health.callStarted(i, spanning);
      call.begin("a", i).failed(refused, i);
      return call;
    });
    for (const [i, call] of calls.entries()) call.begin("b", 2_000 * i).heard(2_000 * i);
    expect(health.states(20_000)).toEqual({ a: "closed", b: "closed" });
  });
});

describe("changes of state", () => {
  it("are told to the call that caused them", () => {
    const health = createHealthState();
    const heard: string[] = [];
    const listening: HealthOptions = { ...options, onChange: (endpoint, state) => heard.push(`${endpoint} ${state}`) };
    for (let i = 0; i < 5; i++) health.callStarted(0, listening).begin("a", 0).failed(unavailable, 0);
    const failing = health.callStarted(5_000, listening).begin("a", 5_000);
    failing.failed(unavailable, 5_100);
    const healing = health.callStarted(20_000, listening).begin("a", 20_000);
    healing.opened(20_100);
    healing.released();
    expect(heard).toEqual(["a open", "a half_open", "a open", "a half_open", "a closed"]);
  });
});

describe("a machine that slept", () => {
  it("for more than a minute distrusts its open breakers", () => {
    const health = createHealthState();
    const heard: string[] = [];
    break_(health, "a");
    break_(health, "b");
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
    break_(health, "busy");
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
    break_(health, "__proto__");
    const states = health.states(0);
    expect(Object.keys(states)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(states)).toBe(Object.prototype);
  });
});
