/** What outlives the terminal: the table, the JSON, the page, the lines. */
import { writeFileSync } from "node:fs";
import type { CallRecord } from "../../index.ts";
import type { Io } from "../io.ts";
import { renderReport } from "../percentiles/report/report.ts";
import { Survey } from "../percentiles/survey.ts";
import { UsageError } from "../usage-error.ts";
import type { MeasureOptions } from "./options.ts";
import { seriesOf, tableOf } from "./percentiles.ts";

export function reportSeries(records: readonly CallRecord[], options: MeasureOptions, io: Io): void {
  const series = seriesOf(records);
  if (options.json) io.out(JSON.stringify({ format: "ttft-measure/1", ...series, records }, null, 2));
  else if (options.calls > 1) for (const line of [...tableOf(series), ""]) io.out(line);
  if (options.jsonl !== undefined) {
    save("--jsonl", options.jsonl, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
  if (options.html !== undefined) {
    save("--html", options.html, pageOf(records));
    io.err(`report written to ${options.html}`);
  }
}

function pageOf(records: readonly CallRecord[]): string {
  const survey = new Survey();
  for (const record of records) survey.addTurn(record);
  return renderReport({ ...survey.result({ deadlineMs: Infinity }), title: "Time to first token", sources: [] });
}

function save(flag: string, file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch {
    throw new UsageError(`${flag} ${file} cannot be written`);
  }
}
