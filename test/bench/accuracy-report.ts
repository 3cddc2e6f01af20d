/** What a run of `npm run accuracy` says. Pure. */

export type Way = string;

export interface Column {
  readonly way: Way;
  /** One per call, in milliseconds. */
  readonly delays: readonly number[];
}

/** The first column is the reference; differences are of medians, in milliseconds. */
export function printed(columns: readonly Column[]): { lines: string[]; differences: number[] } {
  const [reference, plain] = columns.map(({ delays }) => quantile(delays, 0.5));
  const lines = columns.map(({ way, delays }) => {
    const shown = [0.5, 0.9, 0.99].map((share) => quantile(delays, share).toFixed(3).padStart(9)).join("");
    return `${way.padEnd(26)}${String(delays.length).padStart(6)}${shown}`;
  });
  const medians = columns.map(({ delays }) => quantile(delays, 0.5));
  // `ttft` against the reference, then a slow consumer against a quick one.
  const differences = medians.slice(1).map((median, at) => median - ((at === 0 ? reference : plain) ?? Number.NaN));
  const said = differences.map(
    (ms, at) => `${columns[at + 1]?.way} − ${columns[at === 0 ? 0 : 1]?.way}: ${ms.toFixed(3)} ms at the median`,
  );
  const head = `${"ms behind the write".padEnd(26)}${"calls".padStart(6)}${["p50", "p90", "p99"].map((name) => name.padStart(9)).join("")}`;
  return { lines: [head, ...lines, ...said], differences };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
