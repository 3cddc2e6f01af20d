/** Rows of a request export: header, cells, numbers. What cannot be read is a bad row and not the end. */
import { pipeline } from "node:stream/promises";
import { Parser } from "csv-parse";
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

interface Header {
  readonly at: Readonly<Record<(typeof COLUMNS)[number], number>>;
  /** How many cells a row must have. */
  readonly needed: number;
}

/** A quote that is never closed swallows what follows: up to here. */
const MOST_ROW_BYTES = 1024 * 1024;

/** @throws SourceError if the header lacks a column that is needed, or a row has no end. */
export async function readCsv(chunks: Chunks, bad: BadRowList, onRow: (row: ExportRow) => void): Promise<void> {
  let header: Header | undefined;
  const parser = new RowParser(bad, (cells, line) => {
    if (header === undefined) header = headerOf(cells);
    else takeRow(cells, header, line, bad, onRow);
  });
  await pipeline(chunks, parser.resume());
  if (header === undefined) throw new SourceError("there is no header row");
}

/**
 * Hands each row on as it is found and keeps none: memory is constant whatever the file. (`on_record` does the same and
 * builds two objects per row to say which line it is, which takes as long as the parsing.)
 */
class RowParser extends Parser {
  readonly #onRow: (cells: readonly string[], line: number) => void;

  constructor(bad: BadRowList, onRow: (cells: readonly string[], line: number) => void) {
    super({
      bom: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      max_record_size: MOST_ROW_BYTES,
      skip_records_with_error: true,
      on_skip: (error) => {
        const hasNoEnd = error?.code === "CSV_MAX_RECORD_SIZE";
        if (hasNoEnd) this.destroy(new SourceError("a row of more than 1 MiB: is a quote left open?"));
        else bad.add(this.info.lines, error?.code === "CSV_QUOTE_NOT_CLOSED" ? UNCLOSED : "the quotes are wrong");
        return undefined;
      },
    });
    this.#onRow = onRow;
  }

  override push(cells: readonly string[] | null): boolean {
    if (cells === null) return super.push(null);
    try {
      if (!this.destroyed) this.#onRow(cells, this.info.lines);
    } catch (error) {
      this.destroy(error as Error);
    }
    return true;
  }
}

const UNCLOSED = "a quote is never closed";

function headerOf(cells: readonly string[]): Header {
  const at = Object.fromEntries(COLUMNS.map((name) => [name, cells.indexOf(name)])) as Header["at"];
  const missing = (["status", "ttft_ms"] as const).filter((name) => at[name] < 0);
  if (at.route_slug < 0 && at.model < 0) throw new SourceError("the header has neither route_slug nor model");
  if (missing.length > 0) throw new SourceError(`the header lacks ${missing.join(" and ")}`);
  return { at, needed: Math.max(...Object.values(at)) + 1 };
}

function takeRow(
  cells: readonly string[],
  { at, needed }: Header,
  line: number,
  bad: BadRowList,
  onRow: (row: ExportRow) => void,
): void {
  if (cells.length < needed) return bad.add(line, `${cells.length} columns where the header needs ${needed}`);
  const ttftMs = numberIn(cells[at.ttft_ms]);
  const promptTokens = at.prompt_tokens < 0 ? null : numberIn(cells[at.prompt_tokens] || "0");
  if (Number.isNaN(ttftMs)) return bad.add(line, "ttft_ms is not a number of milliseconds");
  if (Number.isNaN(promptTokens)) return bad.add(line, "prompt_tokens is not a number");
  const target = cells[at.route_slug] || cells[at.model] || "";
  onRow({ line, status: cells[at.status] ?? "", ttftMs, target, promptTokens });
}

/** `Number` also takes "0x10", " " and "Infinity". */
const DECIMAL = /^\s*\+?[\d.]+(e[+-]?\d+)?\s*$/i;

/** `null` for an empty cell, `NaN` for what is no decimal number of zero or more. */
function numberIn(cell: string | undefined): number | null {
  if (!cell) return null;
  return DECIMAL.test(cell) ? Number(cell) : Number.NaN;
}
