/** `ttft percentiles`: the tails of what a log or an export says, and the limits that follow from them. */
import { writeFile } from "node:fs/promises";
import { inWords } from "../../stats/tail.ts";
import type { Io } from "../io.ts";
import { percentilesOptions } from "./options.ts";
import { type Progress, readSource, type SourceReport } from "./read.ts";
import { renderReport } from "./report/report.ts";
import { type Chunks, type Source, sourceOf } from "./source.ts";
import { Survey, type SurveyResult } from "./survey.ts";
import { tableOf } from "./table.ts";
import { bytes, printable } from "./words.ts";

/**
 * Resolves to the exit code: 0 if every source was read to its end and had something to measure.
 * @throws UsageError for a wrong flag.
 */
export async function percentilesCommand(
  argv: readonly string[],
  io: Io,
  stdin: Chunks = process.stdin,
): Promise<number> {
  const { files, html, json, ...limits } = percentilesOptions(argv);
  const survey = new Survey();
  const sources: SourceReport[] = [];
  for (const file of files) {
    const source = sourceOf(file, stdin);
    sources.push(await readSource(source, survey, progressOf(source, io)));
  }
  io.progress("");
  const result = survey.result(limits);
  if (html !== undefined) await writeFile(html, renderReport({ ...result, title: "Time to first token", sources }));
  if (json) io.out(jsonOf(result, sources));
  else for (const line of tableOf(result, io.paint)) io.out(line);
  for (const source of sources) for (const line of complaintsOf(source)) io.err(io.paint("yellow", line));
  if (html !== undefined) io.err(`report written to ${html}`);
  return sources.every(({ error }) => error === null) && hasSamples(result) ? 0 : 1;
}

/** Without the distributions: they are for drawing. */
function jsonOf({ rows, ...result }: SurveyResult, sources: readonly SourceReport[]): string {
  const short = rows.map(({ distribution: _, silence: __, ...row }) => row);
  return JSON.stringify({ format: "ttft-percentiles/1", sources, ...result, rows: short }, null, 2);
}

function hasSamples({ rows }: SurveyResult): boolean {
  return rows.some(({ ttft, firstOutput }) => ttft.samples + firstOutput.samples > 0);
}

const REDRAW_MS = 100;

function progressOf({ name, sizeBytes }: Source, io: Io): (progress: Progress) => void {
  let drawnAt = performance.now();
  return (progress) => {
    if (performance.now() - drawnAt < REDRAW_MS) return;
    drawnAt = performance.now();
    const part = sizeBytes ? ` of ${bytes(sizeBytes)}, ${Math.floor((100 * progress.bytes) / sizeBytes)} %` : "";
    io.progress(`${printable(name)}: ${bytes(progress.bytes)}${part}, ${inWords(progress.rows)} rows`);
  };
}

function complaintsOf({ name, bad, error }: SourceReport): string[] {
  const where = printable(name);
  const named = bad.first.map(({ line, why }) => `  ${where}:${line}: ${why}`);
  const more = bad.count > named.length ? [`  and ${inWords(bad.count - named.length)} more`] : [];
  return [
    ...(error === null ? [] : [`${where}: ${error}`]),
    ...(bad.count === 0 ? [] : [`${where}: ${inWords(bad.count)} rows could not be used`, ...named, ...more]),
  ];
}
