/** One difference between what a case expects and what a run showed, and the small comparisons that find it. */
import { isDeepStrictEqual } from "node:util";
import type { Range } from "../format.ts";

export interface Problem {
  readonly key: string;
  readonly text: string;
  /** Only a bound on time was missed: it may be the machine's fault. */
  readonly timing: boolean;
}

const scale = Number(process.env.TTFT_TIMING_SCALE ?? 1);
/** Upper bounds are stretched on a slow machine; lower bounds and orders are kept. */
export const stretched = (ms: number) => ms * scale;

const show = (value: unknown) => {
  const text = JSON.stringify(value, (_, each) => (each === undefined ? "(undefined)" : each)) ?? String(value);
  return text.length > 200 ? `${text.slice(0, 200)}… (${text.length} characters)` : text;
};

export const problem = (key: string, text: string): Problem => ({ key, text, timing: false });

export function equal(key: string, expected: unknown, actual: unknown): Problem[] {
  return isDeepStrictEqual(expected, actual) ? [] : [problem(key, `expected ${show(expected)}, got ${show(actual)}`)];
}

export function within(key: string, range: Range, actual: number | null | undefined, of: "time" | "count"): Problem[] {
  const max = range.max === undefined ? Infinity : of === "time" ? stretched(range.max) : range.max;
  if (typeof actual === "number" && actual >= (range.min ?? -Infinity) && actual <= max) return [];
  const timing = of === "time" && typeof actual === "number";
  const got = typeof actual === "number" ? Math.round(actual * 1000) / 1000 : actual;
  return [{ key, text: `expected ${show(range)}, got ${show(got)}`, timing }];
}

/** Every key of `expected` has its own check; one that nobody knows is a problem. */
export function each<Expected extends object, Actual>(
  key: string,
  expected: Expected,
  actual: Actual,
  checks: {
    readonly [Key in keyof Expected]-?: (expected: Exclude<Expected[Key], undefined>, actual: Actual) => Problem[];
  },
): Problem[] {
  return Object.entries(expected).flatMap(([name, value]) => {
    const check = Object.hasOwn(checks, name) ? checks[name as keyof Expected] : undefined;
    return check
      ? check(value as never, actual)
      : [problem(`${key}${name}`, "this runner does not know this expectation")];
  });
}
