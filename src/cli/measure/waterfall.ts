/** One call drawn on one time axis: every attempt as a bar, with the moments that it reached. Pure. */
import type { Attempt, CallRecord, Timing } from "../../index.ts";
import type { Io, Style } from "../io.ts";

type Paint = Io["paint"];

/** Moments on a bar, later ones over earlier ones where they fall together. */
const MARKS: readonly (readonly [keyof Timing, string, string])[] = [
  ["connectMs", "c", "connected"],
  ["headersMs", "h", "headers"],
  ["firstEventMs", "e", "first event"],
  ["firstOutputMs", "o", "first output"],
  ["ttftMs", "T", "first content"],
];

export const LEGEND = `${MARKS.map(([, mark, words]) => `${mark} ${words}`).join("  ")}  ━ answer  ● complete  ✕ not complete`;

export function waterfall(record: CallRecord, columns: number, paint: Paint): string[] {
  const { attempts, timing } = record;
  const nameWidth = Math.max(4, ...attempts.map((attempt) => attempt.endpoint.length));
  const end = Math.max(1, ...attempts.map((attempt) => attempt.startMs + (attempt.timing.totalMs ?? 0)));
  const width = Math.max(20, columns - nameWidth - 16);
  const rows = attempts.flatMap((attempt) => {
    const bar = barOf(attempt, end, width, paint);
    const kind = attempt.kind.padEnd(8);
    return [
      `  ${attempt.endpoint.padEnd(nameWidth)}  ${paint("dim", kind)}  ${bar}`,
      `  ${" ".repeat(nameWidth + 12)}${paint("dim", endingOf(attempt))}`,
    ];
  });
  const axis = `0 ms${`${ms(end)} ms`.padStart(width - 4)}`;
  const skipped = record.skipped.map(({ endpoint, why }) => `  ${endpoint} passed over: ${why}`);
  return [...rows, `  ${" ".repeat(nameWidth + 12)}${paint("dim", axis)}`, ...skipped, `  ${momentsOf(timing)}`];
}

/** How it ended, in one word of the closed list, and what the provider called it. */
export function verdictOf(record: CallRecord, paint: Paint): string {
  const said = record.rawStopReason === null ? "" : ` (${record.rawStopReason})`;
  const style: Style = record.outcome === "complete" ? "green" : record.terminal ? "yellow" : "red";
  return paint(style, `${record.outcome}${said}`);
}

export const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));

function barOf({ startMs, timing, outcome }: Attempt, endMs: number, width: number, paint: Paint): string {
  const at = (moment: number) => Math.min(width - 1, Math.floor((moment / endMs) * width));
  const last = at(startMs + (timing.totalMs ?? 0));
  const cells: string[] = Array.from({ length: width }, (_, cell) => (cell < at(startMs) || cell > last ? " " : "─"));
  const put = (moment: number, mark: string) => {
    cells[at(startMs + moment)] = mark;
  };
  if (timing.firstOutputMs !== null) cells.fill("━", at(startMs + timing.firstOutputMs), last + 1);
  for (const [name, mark] of MARKS) {
    const moment = timing[name];
    if (typeof moment === "number") put(moment, mark);
  }
  const whole = outcome === "complete";
  cells[last] = whole ? "●" : "✕";
  return paint(whole ? "green" : "red", cells.join("").trimEnd());
}

function endingOf({ outcome, failure, httpStatus, backoffMs }: Attempt): string {
  const words = [outcome ?? "running"];
  if (failure) {
    const code = failure.providerCode ?? failure.providerType;
    if (code) words.push(code);
    // Only what the server sent is its status: an answer that began with 200 may amount to a 503.
    if (failure.status !== null)
      words.push(`${failure.status === httpStatus ? "status" : "counts as"} ${failure.status}`);
    words.push(failure.message);
  }
  if (backoffMs > 0) words.push(`after a wait of ${ms(backoffMs)} ms`);
  return words.join(" · ");
}

function momentsOf(timing: Timing): string {
  const moments = MARKS.map(([name, , words]) => [words, timing[name]] as const);
  const all = [...moments, ["longest gap", timing.maxGapMs], ["end", timing.totalMs]] as const;
  const shown = all.map(([words, value]) => `${words} ${typeof value === "number" ? `${ms(value)}` : "–"}`);
  return `${shown.join(" · ")} ms`;
}
