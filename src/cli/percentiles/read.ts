/** One source, read to its end into a survey: which format, how many rows, which could not be used, what stopped it. */
import { BadRowList, type BadRows, SourceError } from "./bad-rows.ts";
import { readCsv } from "./csv-rows.ts";
import { readLines } from "./jsonl-lines.ts";
import { type Chunks, type Format, recognised, type Source } from "./source.ts";
import type { Survey } from "./survey.ts";
import { turnRecordOf } from "./turn-record.ts";

export interface SourceReport {
  readonly name: string;
  readonly format: Format | null;
  readonly rows: number;
  readonly bad: BadRows;
  /** Why it was not read to its end. */
  readonly error: string | null;
}

export interface Progress {
  readonly bytes: number;
  readonly rows: number;
}

export async function readSource(
  source: Source,
  survey: Survey,
  onProgress: (progress: Progress) => void,
): Promise<SourceReport> {
  const bad = new BadRowList();
  const report = { name: source.name, format: null as Format | null, rows: 0, bad, error: null as string | null };
  try {
    const { format, chunks } = await recognised(source.open((bytes) => onProgress({ bytes, rows: report.rows })));
    report.format = format;
    const count = () => {
      report.rows++;
    };
    await (format === "csv"
      ? readExport(chunks, source.name, survey, bad, count)
      : readTurns(chunks, survey, bad, count));
  } catch (error) {
    report.error = reasonOf(error);
  }
  return report;
}

function readExport(chunks: Chunks, name: string, survey: Survey, bad: BadRowList, count: () => void): Promise<void> {
  return readCsv(chunks, bad, (row) => {
    count();
    survey.addRow(row, name);
  });
}

function readTurns(chunks: Chunks, survey: Survey, bad: BadRowList, count: () => void): Promise<void> {
  return readLines(chunks, bad, (value, line) => {
    const record = turnRecordOf(value);
    if (typeof record === "string") return bad.add(line, record);
    count();
    survey.addTurn(record);
  });
}

const KNOWN: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a directory",
  EACCES: "it may not be read",
  Z_BUF_ERROR: "the gzip data ends early",
  Z_DATA_ERROR: "the gzip data is damaged",
};

/** @throws what is no trouble of the source. */
function reasonOf(error: unknown): string {
  if (error instanceof SourceError) return error.message;
  const { code } = error as { readonly code?: unknown };
  if (typeof code !== "string") throw error;
  return KNOWN[code] ?? code;
}
