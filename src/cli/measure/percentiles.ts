/** The table that ends a series: percentiles of what came, and a count of every ending. Pure. */
import type { CallRecord, Timing } from "../../index.ts";
import { ms } from "./waterfall.ts";

const ROWS: readonly (readonly [string, keyof Timing])[] = [
  ["connect", "connectMs"],
  ["headers", "headersMs"],
  ["first event", "firstEventMs"],
  ["first output", "firstOutputMs"],
  ["first content", "ttftMs"],
  ["longest gap", "maxGapMs"],
  ["end", "totalMs"],
];

const SHARES = [0.5, 0.9, 0.99] as const;

/** Nearest rank: a value that really occurred. `null` where there is none. */
export function nearestRank(sorted: readonly number[], share: number): number | null {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? null;
}

interface Series {
  readonly calls: number;
  readonly endings: Readonly<Record<string, number>>;
  /** Of turns whose success signal arrived, in milliseconds. */
  readonly rows: readonly {
    readonly name: string;
    readonly samples: number;
    readonly values: readonly (number | null)[];
  }[];
}

export function seriesOf(records: readonly CallRecord[]): Series {
  const endings = new Map<string, number>();
  for (const { outcome } of records) endings.set(outcome, (endings.get(outcome) ?? 0) + 1);
  const good = records.filter((record) => record.successSignal);
  const rows = ROWS.map(([name, field]) => {
    const values = good
      .map(({ timing }) => timing[field])
      .filter((value): value is number => typeof value === "number");
    const sorted = values.sort((a, b) => a - b);
    const shares = SHARES.map((share) => nearestRank(sorted, share));
    return { name, samples: sorted.length, values: [sorted[0] ?? null, ...shares, sorted.at(-1) ?? null] };
  });
  return { calls: records.length, endings: Object.fromEntries(endings), rows };
}

export function tableOf({ calls, endings, rows }: Series): string[] {
  const cell = (value: number | null) => (value === null ? "–" : ms(value)).padStart(9);
  const head = ["min", "p50", "p90", "p99", "max"].map((name) => name.padStart(9)).join("");
  const lines = rows.map(
    ({ name, samples, values }) => `  ${name.padEnd(14)}${String(samples).padStart(6)}${values.map(cell).join("")}`,
  );
  const ends = Object.entries(endings).map(([outcome, count]) => `${outcome} ${count}`);
  const few = calls < 200 ? [`  fewer than 200 calls: p99 is little more than the maximum`] : [];
  return [`  ${"ms".padEnd(14)}${"n".padStart(6)}${head}`, ...lines, `  ${calls} calls: ${ends.join(", ")}`, ...few];
}
