import { describe, expect, it } from "vitest";
import { Breaker, type Trial } from "../../src/policy/breaker.ts";
import { breakerDefaults } from "../../src/policy/defaults.ts";
import type { BreakerSettings } from "../../src/policy/failure-record.ts";

const half = () => 0.5;
/** Five in a row open it for 5 s, doubling to 60 s: no span to wait for, no jitter. */
const classic: BreakerSettings = { ...breakerDefaults, minSpanMs: 0 };

function failAt(breaker: Breaker, now: number): void {
  breaker.failed(breaker.begin(now), 1, now, now, half);
}

function opened(): Breaker {
  const breaker = new Breaker(classic);
  for (let i = 0; i < classic.consecutiveFailures; i++) failAt(breaker, 0);
  expect(breaker.state(0)).toBe("open");
  return breaker;
}

/** The probe of an open breaker, begun at its first possible moment. */
function probe(breaker: Breaker): { trial: Trial; now: number } {
  const now = breaker.usableAt;
  const trial = breaker.begin(now);
  expect(trial.isProbe).toBe(true);
  return { trial, now };
}

describe("the open time", () => {
  it("is five seconds, and doubles to a minute with each failed probe", () => {
    const breaker = opened();
    const times = [breaker.usableAt];
    for (let i = 0; i < 6; i++) {
      const { trial, now } = probe(breaker);
      breaker.failed(trial, 1, now, now, half);
      times.push(breaker.usableAt - now);
    }
    expect(times).toEqual([5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000]);
  });

  it("is at least ten times the failed probe's duration, up to five minutes", () => {
    const breaker = opened();
    const first = probe(breaker);
    breaker.failed(first.trial, 1, first.now + 2_500, first.now + 2_500, half);
    expect(breaker.usableAt - first.now).toBe(2_500 + 25_000);
    const second = probe(breaker);
    breaker.silent(second.trial, second.now + 20_000, second.now + 20_000, half);
    expect(breaker.usableAt - second.now).toBe(20_000 + 200_000);
    const third = probe(breaker);
    breaker.silent(third.trial, third.now + 120_000, third.now + 120_000, half);
    expect(breaker.usableAt - third.now).toBe(120_000 + 300_000);
  });

  it.each([
    [0, 4_000],
    [0.5, 5_000],
    [0.999, 5_998],
  ])("varies by a fifth: random %d gives %i ms", (random, ms) => {
    const breaker = new Breaker(classic);
    for (let i = 0; i < 5; i++) breaker.failed(breaker.begin(0), 1, 0, 0, () => random);
    expect(breaker.usableAt).toBeCloseTo(ms, 6);
  });

  it("doubles further after a success that did not last, and begins anew after a minute closed", () => {
    const breaker = opened();
    const reopenAfter = (closedMs: number) => {
      const { trial, now } = probe(breaker);
      breaker.succeeded(trial, now);
      for (let i = 0; i < 5; i++) failAt(breaker, now + closedMs);
      return breaker.usableAt - (now + closedMs);
    };
    expect(reopenAfter(1_000)).toBe(10_000);
    expect(reopenAfter(59_999)).toBe(20_000);
    expect(reopenAfter(60_000)).toBe(5_000);
  });
});

describe("half-open", () => {
  it("is what an open breaker is once its time is over, without a timer", () => {
    const breaker = opened();
    expect(breaker.state(4_999)).toBe("open");
    expect(breaker.state(5_000)).toBe("half_open");
    expect(breaker.usableAt).toBe(5_000);
  });

  it("admits one probe at a time", () => {
    const breaker = opened();
    const { now } = probe(breaker);
    expect(breaker.usableAt).toBeGreaterThan(now);
    expect(breaker.begin(now + 1).isProbe).toBe(false);
  });

  it("closes with one success and remembers no failure", () => {
    const breaker = opened();
    const { trial, now } = probe(breaker);
    breaker.succeeded(trial, now + 800);
    expect(breaker.state(now + 800)).toBe("closed");
    for (let i = 0; i < 4; i++) failAt(breaker, now + 900);
    expect(breaker.state(now + 900)).toBe("closed");
  });

  it("gives the probe's place away when its lease, as long as the open time, has run out", () => {
    const breaker = opened();
    const abandoned = probe(breaker);
    expect(breaker.usableAt - abandoned.now).toBe(5_000);
    const next = probe(breaker);
    breaker.failed(abandoned.trial, 1, next.now, next.now, half);
    breaker.succeeded(abandoned.trial, next.now);
    expect(breaker.state(next.now)).toBe("half_open");
    breaker.succeeded(next.trial, next.now);
    expect(breaker.state(next.now)).toBe("closed");
  });

  it("doubles a lease that ran out without a word, so that a probe lives to be found silent", () => {
    const breaker = opened();
    const leases: number[] = [];
    for (let i = 0; i < 9; i++) {
      const { now } = probe(breaker);
      leases.push((breaker.usableAt - now) / 1_000);
    }
    expect(leases).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]);
  });

  it.each(["released", "weightless"])("has its place free at once after a probe that is %s", (how) => {
    const breaker = opened();
    const { trial, now } = probe(breaker);
    if (how === "released") breaker.released(trial);
    else breaker.failed(trial, 0, now, now, half);
    expect(breaker.state(now)).toBe("half_open");
    const next = breaker.begin(now);
    expect(next.isProbe).toBe(true);
    expect(breaker.usableAt - now).toBe(5_000);
  });

  it("is not what a closed breaker becomes when the probe that closed it ends", () => {
    const breaker = opened();
    const { trial, now } = probe(breaker);
    breaker.succeeded(trial, now);
    breaker.released(trial);
    expect(breaker.state(now)).toBe("closed");
  });

  it("counts the later failure of the probe that closed it as one of many", () => {
    const breaker = opened();
    const { trial, now } = probe(breaker);
    breaker.succeeded(trial, now);
    breaker.failed(trial, 1, now + 1, now + 1, half);
    for (let i = 0; i < 3; i++) failAt(breaker, now + 2);
    expect(breaker.state(now + 2)).toBe("closed");
    failAt(breaker, now + 2);
    expect(breaker.state(now + 2)).toBe("open");
  });
});

describe("late results of older attempts", () => {
  it("neither close an open breaker nor keep it open", () => {
    const breaker = new Breaker(classic);
    const old = [breaker.begin(0), breaker.begin(0), breaker.begin(0)] as const;
    for (let i = 0; i < 5; i++) failAt(breaker, 0);
    breaker.succeeded(old[0], 10);
    breaker.failed(old[1], 1, 20, 20, half);
    breaker.silent(old[2], 20_000, 20_000, half);
    expect(breaker.state(4_999)).toBe("open");
    expect(breaker.usableAt).toBe(5_000);
  });

  it("do not count once it is closed again", () => {
    const breaker = new Breaker(classic);
    const old = Array.from({ length: 20 }, () => breaker.begin(0));
    for (let i = 0; i < 20; i++) failAt(breaker, 0);
    const { trial, now } = probe(breaker);
    breaker.succeeded(trial, now);
    for (const one of old) breaker.failed(one, 1, now, now, half);
    expect(breaker.state(now)).toBe("closed");
  });
});

describe("an attempt where none is usable", () => {
  it("closes the breaker by its success", () => {
    const breaker = opened();
    const guest = breaker.begin(100);
    expect(guest.isProbe).toBe(false);
    breaker.succeeded(guest, 900);
    expect(breaker.state(900)).toBe("closed");
  });

  it("does not give away the place of a probe by its end", () => {
    const breaker = opened();
    const { now } = probe(breaker);
    breaker.released(breaker.begin(now + 1));
    expect(breaker.usableAt).toBe(now + 5_000);
  });

  it("does not keep it open for longer by its failure", () => {
    const breaker = opened();
    for (let i = 1; i < 50; i++) failAt(breaker, i);
    breaker.silent(breaker.begin(60), 4_000, 4_000, half);
    expect(breaker.usableAt).toBe(5_000);
  });
});

it("is half-open after the machine has slept, and only if it was open", () => {
  const breaker = opened();
  breaker.slept();
  expect(breaker.state(1)).toBe("half_open");
  expect(breaker.begin(1).isProbe).toBe(true);
  breaker.slept();
  expect(breaker.usableAt).toBe(5_001);
  const healthy = new Breaker(classic);
  healthy.slept();
  expect(healthy.state(1)).toBe("closed");
});
