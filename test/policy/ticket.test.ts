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
function breakAt(health: HealthState, endpoint: string, now = 0): void {
  for (let i = 0; i < 5; i++) {
    const call = health.callStarted(now, options);
    call.begin(endpoint, now).failed(unavailable, now);
    call.ended(now);
  }
}

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

  it.each(["failed", "lost"])("whose gate had opened was not silent if it %s later", (how) => {
    const health = createHealthState();
    const call = health.callStarted(0, options);
    // The gate may be set to open at the headers.
    const tickets = Array.from({ length: 6 }, () => call.begin("a", 0));
    for (const ticket of tickets) ticket.opened(10);
    for (const ticket of tickets) {
      if (how === "failed") ticket.failed(silence, 50_000);
      else ticket.lost(50_000);
    }
    expect(health.states(50_000)).toEqual({ a: "closed" });
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
      breakAt(health, "a");
      const call = health.callStarted(5_000, options);
      end(call.begin("a", 5_000), 5_001);
      call.ended(5_001);
      expect(health.callStarted(5_001, options).standing("a", 5_001)).toBe("usable");
      expect(health.states(5_001)).toEqual({ a: "half_open" });
    }
  });

  it("that is begun while the breaker is open, because none is usable, closes it by its success", () => {
    const health = createHealthState();
    breakAt(health, "a");
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
    breakAt(health, "c");
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
