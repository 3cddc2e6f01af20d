import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { bucketOf, durationOf, Sketch } from "../../src/stats/sketch.ts";
import { survivalOf } from "../../src/stats/survival.ts";

function waits(answers: readonly number[], silences: readonly number[] = []) {
  const answered = new Sketch();
  const unanswered = new Sketch();
  for (const ms of answers) answered.add(ms);
  for (const ms of silences) unanswered.add(ms);
  return survivalOf({ answered, unanswered });
}

const about = (ms: number) => durationOf(bucketOf(ms));
const times = (count: number, ms: number) => Array.from({ length: count }, () => ms);

/** Written the other way round: one survival probability per distinct time, as in the textbook. */
function textbookPercentile(
  answers: readonly number[],
  silences: readonly number[],
  percentile: number,
): number | null {
  let surviving = 1;
  for (const bucket of [...new Set(answers.map(bucketOf))].sort((a, b) => a - b)) {
    const deaths = answers.filter((ms) => bucketOf(ms) === bucket).length;
    const atRisk = [...answers, ...silences].filter((ms) => bucketOf(ms) >= bucket).length;
    surviving *= 1 - deaths / atRisk;
    if (1 - surviving >= percentile / 100 - 1e-9) return durationOf(bucket);
  }
  return null;
}

describe("percentiles of waits", () => {
  it("are the nearest rank where every wait was answered", () => {
    const tail = waits([10, 20, 30, 40, 50, 60, 70, 80, 90, 100]);
    expect(tail.percentile(50)).toBe(about(50));
    expect(tail.percentile(90)).toBe(about(90));
    expect(tail.percentile(91)).toBe(about(100));
    expect(tail.percentile(0.01)).toBe(about(10));
  });

  it("agree with the survival function of Kaplan and Meier where some were given up", () => {
    const wait = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(
        fc.array(wait, { minLength: 1, maxLength: 60 }),
        fc.array(wait, { maxLength: 60 }),
        (answers, silences) => {
          const samples = answers.length + silences.length;
          const rank = Math.ceil(samples / 2);
          const expected = textbookPercentile(answers, silences, (100 * rank) / samples);
          const longest = about(Math.max(...answers, ...silences));
          expect(waits(answers, silences).percentile(50)).toBe(expected ?? longest);
        },
      ),
    );
  });

  it("count what was given up early as something that would have taken longer, not as short", () => {
    const tail = waits([...times(500, 1_000), ...times(500, 3_000)], times(1_000, 1_500));
    // Half were over by 1 s among those watched to the end; the thousand that were given up at 1.5 s belong to the rest.
    expect(tail.percentile(25)).toBe(about(1_000));
    expect(tail.percentile(50)).toBe(about(3_000));
  });

  it("are at least the longest silence where more were given up than the percentile leaves over", () => {
    const tail = waits(times(990, 1_000), times(10, 8_000));
    expect(tail.percentile(99)).toBe(about(1_000));
    expect(tail.percentile(99.9)).toBe(about(8_000));
  });

  it("leave out, for limits, what is never answered", () => {
    const tail = waits([...times(980, 1_000), ...times(10, 2_000)], times(10, 8_000));
    expect(tail.answeredPercentile(99.9)).toBe(about(2_000));
    expect(tail.answeredPercentile(50)).toBe(about(1_000));
  });

  it("know how many samples tell of the tail: early silences do not", () => {
    expect(waits(times(5, 1_000), times(300, 5)).telling).toBe(5);
    expect(waits(times(5, 1_000), times(300, 9_000)).telling).toBe(305);
    expect(waits([], times(300, 9_000))).toMatchObject({ telling: 300, answered: 0, unanswered: 300 });
  });

  it("say what share takes longer than a limit, for ever included", () => {
    const tail = waits([...times(90, 100), ...times(8, 500)], times(2, 1_000));
    expect(tail.shareAfter(200)).toBeCloseTo(0.1);
    expect(tail.shareAfter(600)).toBeCloseTo(0.02);
    expect(tail.shareAfter(10)).toBe(1);
    expect(waits([]).shareAfter(10)).toBe(0);
  });
});
