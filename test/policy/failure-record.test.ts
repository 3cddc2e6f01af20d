/** What opens a closed breaker, seen through the breaker. */
import { describe, expect, it } from "vitest";
import { Breaker, type Trial } from "../../src/policy/breaker.ts";
import { breakerDefaults } from "../../src/policy/defaults.ts";
import type { BreakerSettings } from "../../src/policy/failure-record.ts";

const half = () => 0.5;
const classic: BreakerSettings = { ...breakerDefaults, minSpanMs: 0 };

function failAt(breaker: Breaker, now: number, weight = 1): void {
  breaker.failed(breaker.begin(now), weight, now, now, half);
}

describe("a row of failures", () => {
  it("opens it at the fifth", () => {
    const breaker = new Breaker(classic);
    for (let i = 0; i < 4; i++) failAt(breaker, i);
    expect(breaker.state(4)).toBe("closed");
    failAt(breaker, 4);
    expect(breaker.state(4)).toBe("open");
    expect(breaker.usableAt).toBe(5_004);
  });

  it("begins anew after a success", () => {
    const breaker = new Breaker(classic);
    for (let i = 0; i < 20; i++) {
      const now = i * 60_001;
      if (i % 5 === 4) breaker.succeeded(breaker.begin(now), now);
      else failAt(breaker, now);
    }
    expect(breaker.state(20 * 60_001)).toBe("closed");
  });

  it("needs ten 429s, which weigh half", () => {
    const breaker = new Breaker(classic);
    for (let i = 0; i < 9; i++) failAt(breaker, i, 0.5);
    expect(breaker.state(9)).toBe("closed");
    failAt(breaker, 9, 0.5);
    expect(breaker.state(9)).toBe("open");
  });

  it("is not made longer, nor ended, by what weighs nothing", () => {
    const breaker = new Breaker(classic);
    for (let i = 0; i < 8; i++) failAt(breaker, i, i % 2 === 0 ? 1 : 0);
    expect(breaker.state(8)).toBe("closed");
    failAt(breaker, 8);
    expect(breaker.state(8)).toBe("open");
  });

  it("opens it only once it has lasted a second", () => {
    const breaker = new Breaker(breakerDefaults);
    for (let i = 0; i < 100; i++) failAt(breaker, i * 9);
    expect(breaker.state(891)).toBe("closed");
    failAt(breaker, 1_000);
    expect(breaker.state(1_000)).toBe("open");
  });

  it("lasts from its first failure on, in whatever order they become known", () => {
    const breaker = new Breaker(breakerDefaults);
    const failedAt = (at: number) => breaker.failed(breaker.begin(0), 1, at, 3_000, half);
    for (const at of [2_000, 1_900, 1_800, 1_001]) failedAt(at);
    failedAt(1_700);
    expect(breaker.state(3_000)).toBe("closed");
    failedAt(1_000);
    expect(breaker.state(3_000)).toBe("open");
  });

  it("opens it only if it is at least half of the attempts started since it began", () => {
    const breaker = new Breaker({ ...breakerDefaults, minSpanMs: 0 });
    failAt(breaker, 0);
    for (let i = 0; i < 13; i++) breaker.begin(i);
    for (let i = 0; i < 10; i++) failAt(breaker, 20 + i);
    expect(breaker.state(30)).toBe("closed");
    failAt(breaker, 40);
    expect(breaker.state(40)).toBe("open");
  });
});

describe("a share of failures in the window", () => {
  /** Success and failure by turns, so that no row forms. */
  const alternate = (breaker: Breaker, attempts: number, stepMs: number) => {
    for (let i = 0; i < attempts; i++) {
      if (i % 2 === 0) breaker.succeeded(breaker.begin(i * stepMs), i * stepMs);
      else failAt(breaker, i * stepMs);
    }
  };

  it("of one half opens it from the tenth attempt on", () => {
    const breaker = new Breaker(breakerDefaults);
    alternate(breaker, 9, 1_000);
    expect(breaker.state(9_000)).toBe("closed");
    failAt(breaker, 9_000);
    expect(breaker.state(9_000)).toBe("open");
  });

  it("does not open it if the attempts are spread over more than the window", () => {
    const breaker = new Breaker(breakerDefaults);
    alternate(breaker, 100, 7_000);
    expect(breaker.state(700_000)).toBe("closed");
  });

  it("counts attempts that are still under way as started", () => {
    const breaker = new Breaker({ ...classic, consecutiveFailures: 100 });
    for (let i = 0; i < 11; i++) breaker.begin(i);
    for (let i = 0; i < 10; i++) failAt(breaker, 20 + i);
    expect(breaker.state(30)).toBe("closed");
    failAt(breaker, 30);
    expect(breaker.state(30)).toBe("open");
  });

  it("does not open it by failures of one moment", () => {
    const breaker = new Breaker({ ...breakerDefaults, consecutiveFailures: 100 });
    for (let i = 0; i < 50; i++) failAt(breaker, i * 19);
    expect(breaker.state(1_000)).toBe("closed");
    failAt(breaker, 1_000);
    expect(breaker.state(1_000)).toBe("open");
  });

  it("counts a failure after the gate had opened once more, as one of now", () => {
    const breaker = new Breaker({ ...classic, consecutiveFailures: 100 });
    const answer = (now: number) => {
      const trial = breaker.begin(now);
      breaker.succeeded(trial, now);
      return trial;
    };
    const old = Array.from({ length: 10 }, (_, i) => answer(i));
    for (let i = 0; i < 10; i++) answer(120_000);
    for (const trial of old.slice(1)) breaker.failed(trial, 1, 120_001, 120_001, half);
    expect(breaker.state(120_001)).toBe("closed");
    breaker.failed(old[0] as Trial, 1, 120_001, 120_001, half);
    expect(breaker.state(120_001)).toBe("open");
  });
});

describe("silence", () => {
  const silentAt = (breaker: Breaker, startedAt: number, endedAt: number) =>
    breaker.silent(breaker.begin(startedAt), endedAt, endedAt, half);

  it("of three attempts in a row, with nothing from the endpoint for ten seconds, opens it", () => {
    const breaker = new Breaker(breakerDefaults);
    silentAt(breaker, 0, 10_000);
    silentAt(breaker, 0, 10_000);
    expect(breaker.state(10_000)).toBe("closed");
    silentAt(breaker, 1, 10_001);
    expect(breaker.state(10_001)).toBe("open");
  });

  it("does not open it while bytes come on other attempts", () => {
    const breaker = new Breaker(breakerDefaults);
    for (let i = 1; i <= 20; i++) {
      breaker.heard(i * 30_000 - 9_999);
      silentAt(breaker, (i - 1) * 30_000, i * 30_000);
    }
    expect(breaker.state(600_000)).toBe("closed");
    silentAt(breaker, 600_000, 630_000);
    expect(breaker.state(630_000)).toBe("open");
  });

  it("is not ten seconds long before somebody has listened for ten", () => {
    const breaker = new Breaker(breakerDefaults);
    for (let i = 0; i < 10; i++) silentAt(breaker, i * 100, i * 100 + 100);
    expect(breaker.state(1_000)).toBe("closed");
    silentAt(breaker, 9_900, 10_000);
    expect(breaker.state(10_000)).toBe("open");
  });

  it.each(["succeeds", "fails"])("is no row if an attempt between %s", (how) => {
    const breaker = new Breaker(breakerDefaults);
    for (let i = 0; i < 20; i++) {
      const now = i * 30_000;
      silentAt(breaker, now - 15_000, now);
      silentAt(breaker, now - 15_000, now);
      if (how === "succeeds") breaker.succeeded(breaker.begin(now), now);
      else failAt(breaker, now, 0.1);
    }
    expect(breaker.state(600_000)).toBe("closed");
  });
});
