/** Rows of a request export: header, cells, numbers. What cannot be read is a bad row and not the end. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { CsvError, parse } from "csv-parse";
import { type BadRowList, SourceError } from "./bad-rows.ts";
import type { Chunks } from "./source.ts";

export interface ExportRow {
  readonly line: number;
  readonly status: string;
  /** `null`: the answer was not streamed. */
  readonly ttftMs: number | null;
  /** The route, or the model where there is none. */
  readonly target: string;
  /** `null` where the export has no such column. An empty cell is 0, as in `int(float(tokens or 0))`. */
  readonly promptTokens: number | null;
}

const COLUMNS = ["status", "ttft_ms", "route_slug", "model", "prompt_tokens"] as const;
type Columns = Readonly<Record<(typeof COLUMNS)[number], number>>;

/** A quote that is never closed swallows what follows: up to here. */
const MOST_ROW_BYTES = 1024 * 1024;

/** @throws SourceError if the header lacks a column that is needed, or a row has no end. */
export async function readCsv(chunks: Chunks, bad: BadRowList, onRow: (row: ExportRow) => void): Promise<void> {
  let columns: Columns | undefined;
  const parser = parse({
    bom: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MOST_ROW_BYTES,
    skip_records_with_error: true,
    on_record(cells: string[], { lines }) {
      if (columns === undefined) columns = columnsOf(cells);
      else takeRow(cells, columns, lines, bad, onRow);
      // Nothing goes on: the parser's queue stays empty and memory constant.
      return null;
    },
    on_skip(error) {
      if (error?.code === "CSV_MAX_RECORD_SIZE")
        throw new SourceError("a row of more than 1 MiB: is a quote left open?");
      bad.add(Number(error?.lines ?? 0), reasonOf(error));
      return undefined;
    },
  });
  parser.resume();
  await pipeline(Readable.from(chunks, { objectMode: false }), parser);
  if (columns === undefined) throw new SourceError("there is no header row");
}

function columnsOf(header: readonly string[]): Columns {
  const columns = Object.fromEntries(COLUMNS.map((name) => [name, header.indexOf(name)])) as Columns;
  const missing = (["status", "ttft_ms"] as const).filter((name) => columns[name] < 0);
  if (columns.route_slug < 0 && columns.model < 0) throw new SourceError("the header has neither route_slug nor model");
  if (missing.length > 0) throw new SourceError(`the header lacks ${missing.join(" and ")}`);
  return columns;
}

function takeRow(
  cells: readonly string[],
  columns: Columns,
  line: number,
  bad: BadRowList,
  onRow: (row: ExportRow) => void,
): void {
  const { status, ttft_ms: ttft, route_slug: route, model, prompt_tokens: tokens } = columns;
  const last = Math.max(...Object.values(columns));
  if (cells.length <= last) return bad.add(line, `${cells.length} columns where the header needs ${last + 1}`);
  const ttftMs = numberIn(cells[ttft]);
  const promptTokens = tokens < 0 ? null : numberIn(cells[tokens] || "0");
  if (Number.isNaN(ttftMs)) return bad.add(line, "ttft_ms is not a number of milliseconds");
  if (Number.isNaN(promptTokens)) return bad.add(line, "prompt_tokens is not a number");
  onRow({ line, status: cells[status] ?? "", ttftMs, target: cells[route] || cells[model] || "", promptTokens });
}

/** `null` for an empty cell, `NaN` for what is no decimal number of zero or more. */
function numberIn(cell: string | undefined): number | null {
  if (!cell) return null;
  const number = Number(cell);
  // `Number` also takes "0x10", " " and "Infinity".
  return number >= 0 && number < Infinity && /^\s*\+?[\d.]/.test(cell) && !/x/i.test(cell) ? number : Number.NaN;
}

function reasonOf(error: unknown): string {
  return error instanceof CsvError && error.code === "CSV_QUOTE_NOT_CLOSED"
    ? "a quote is never closed"
    : "the quotes are wrong";
}
