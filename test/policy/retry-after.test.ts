import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { retryAfterMs } from "../../src/policy/retry-after.ts";

const NOON = Date.UTC(2026, 10, 4, 12);
const absent = { retryAfterMs: null, retryAfter: null, date: null };
const header = (retryAfter: string, date: string | null = null) => retryAfterMs({ ...absent, retryAfter, date }, NOON);
const imf = (epoch: number) => new Date(epoch).toUTCString();

describe("retry-after", () => {
  it.each([
    ["0", 0],
    ["1", 1_000],
    ["0.5", 500],
    ["1.1", 1_100],
    ["  20 ", 20_000],
    ["007", 7_000],
    ["86400", 86_400_000],
  ])("%j is %i ms: its unit is the second", (text, ms) => {
    expect(header(text)).toBe(ms);
  });

  it.each([
    "-1",
    "+1",
    "1e3",
    ".5",
    "1.",
    "0x10",
    "1,5",
    "1 s",
    "soon",
    "",
    " ",
    "NaN",
    "Infinity",
    "９",
    "9".repeat(400),
  ])("%j is none", (text) => {
    expect(header(text)).toBeNull();
  });

  it("is a date measured against our wall clock", () => {
    expect(header(imf(NOON + 60_000))).toBe(60_000);
  });

  it("is a date measured against the response's own, if it has one: our clock may be wrong", () => {
    expect(header(imf(NOON + 3_600_000), imf(NOON + 3_590_000))).toBe(10_000);
    expect(header(imf(NOON + 60_000), "yesterday")).toBe(60_000);
  });

  it("is 0 for a date in the past", () => {
    expect(header(imf(NOON - 60_000))).toBe(0);
  });

  it.each([
    "Wednesday, 04-Nov-26 12:00:00 GMT",
    "Wed Nov  4 12:00:00 2026",
    "2026-11-04T12:00:00Z",
    "Tue, 04 Nov 2026 12:00:00 GMT",
    "Wed, 4 Nov 2026 12:00:00 GMT",
    "Wed, 04 Nov 2026 12:00:00 UTC",
    "Wed, 04 Nov 2026 12:00:00 +0100",
    "Tue, 31 Feb 2026 12:00:00 GMT",
    "Invalid Date",
  ])("%j is no IMF-fixdate", (text) => {
    expect(header(text)).toBeNull();
  });
});

describe("the order of what a server may say", () => {
  it("begins with retry-after-ms, in milliseconds", () => {
    expect(retryAfterMs({ ...absent, retryAfterMs: "250", retryAfter: "9", body: 9 }, NOON)).toBe(250);
    expect(retryAfterMs({ ...absent, retryAfterMs: "0", retryAfter: "9" }, NOON)).toBe(0);
    expect(retryAfterMs({ ...absent, retryAfterMs: "12.4" }, NOON)).toBe(12);
  });

  it("passes over what is malformed", () => {
    expect(retryAfterMs({ ...absent, retryAfterMs: "-5", retryAfter: "9" }, NOON)).toBe(9_000);
    expect(retryAfterMs({ ...absent, retryAfter: "later", body: 2 }, NOON)).toBe(2_000);
  });

  it.each([
    [2, 2_000],
    [0, 0],
    ["1.5", 1_500],
    [-1, null],
    [Number.NaN, null],
    [Number.POSITIVE_INFINITY, null],
    [{ seconds: 2 }, null],
    [[2], null],
    [true, null],
    [null, null],
    [undefined, null],
  ])("ends with the body's retry_after: %j is %j", (body, ms) => {
    expect(retryAfterMs({ ...absent, body }, NOON)).toBe(ms);
  });

  it("is nothing without any", () => {
    expect(retryAfterMs(absent, NOON)).toBeNull();
  });
});

describe("retry-after, for any input", () => {
  const text = fc.oneof(fc.string(), fc.constantFrom("1", "0.5", imf(NOON + 1), imf(0)), fc.constant(null));

  it("is null or a finite number of milliseconds that is not negative", () => {
    const sources = fc.record({ retryAfterMs: text, retryAfter: text, date: text, body: fc.anything() });
    fc.assert(
      fc.property(sources, fc.integer(), (given, wallNow) => {
        const ms = retryAfterMs(given, wallNow);
        expect(ms === null || (Number.isFinite(ms) && ms >= 0)).toBe(true);
      }),
    );
  });

  it("reads every IMF-fixdate to the second", () => {
    const seconds = fc.integer({ min: 0, max: Date.UTC(9_999, 0) / 1_000 });
    fc.assert(
      fc.property(seconds, seconds, (until, date) => {
        expect(header(imf(until * 1_000), imf(date * 1_000))).toBe(Math.max(0, until - date) * 1_000);
      }),
    );
  });

  it("reads every decimal as seconds, to the millisecond", () => {
    fc.assert(
      fc.property(fc.nat({ max: 1e9 }), fc.nat({ max: 999 }), (whole, thousandths) => {
        const text = `${whole}.${String(thousandths).padStart(3, "0")}`;
        expect(header(text)).toBe(whole * 1_000 + thousandths);
      }),
    );
  });
});
