/** The result for a terminal. Pure. */

import { inWords } from "../../stats/tail.ts";
import type { Io } from "../io.ts";
import type { SurveyResult, SurveyRow } from "./survey.ts";
import { duration, printable, share, target } from "./words.ts";

type Paint = Io["paint"];

const HEAD = ["prompts", "n", "p50", "p90", "p99", "p99.9", "first token", "idle"] as const;

export function tableOf({ rows, deadlineMs }: SurveyResult, paint: Paint): string[] {
  const measured = rows.filter(({ ttft, firstOutput }) => ttft.samples > 0 || firstOutput.samples > 0);
  const cells = measured.map(cellsOf);
  const widths = HEAD.map((head, at) => Math.max(head.length, ...cells.map((row) => row[at]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  ");
  const lines: string[] = [];
  measured.forEach((row, at) => {
    const name = target(row);
    if (at === 0 || name !== target(measured[at - 1] as SurveyRow))
      lines.push("", paint("bold", name), paint("dim", `  ${line(HEAD)}`));
    lines.push(`  ${line(cells[at] as string[])}${fitOf(row, deadlineMs, paint)}`);
    if (row.ttft.note) lines.push(paint("yellow", `  ${" ".repeat(widths[0] as number)}  ${row.ttft.note}`));
  });
  return [...lines, ...failuresOf(rows)];
}

function cellsOf({ band, ttft, limits }: SurveyRow): string[] {
  const percentiles = [ttft.p50Ms, ttft.p90Ms, ttft.p99Ms, ttft.p999Ms, limits.firstTokenMs, limits.idleMs];
  return [band, inWords(ttft.samples), ...percentiles.map((ms) => (ms === null ? "–" : duration(ms)))];
}

function fitOf({ limits, shareCut }: SurveyRow, deadlineMs: number | null, paint: Paint): string {
  if (limits.firstTokenMs === null) return "";
  const cut = shareCut ? `  cuts ${share(shareCut)}` : "";
  if (deadlineMs === null) return paint("dim", cut);
  return `${paint("dim", cut)}  ${limits.twoAttemptsFit ? paint("green", "two fit") : paint("red", "two do not fit")}`;
}

function failuresOf(rows: readonly SurveyRow[]): string[] {
  const lines = rows
    .filter(({ failures }) => Object.keys(failures).length > 0)
    .map((row) => {
      const counts = Object.entries(row.failures).map(([reason, count]) => `${printable(reason)} ${inWords(count)}`);
      return `  ${target(row)} ${row.band}: ${counts.join(", ")}`;
    });
  return lines.length > 0 ? ["", "not among the samples:", ...lines] : [];
}
