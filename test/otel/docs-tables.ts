/** The tables of `docs/telemetry.md`, as data. */
import { readFileSync } from "node:fs";

const text = readFileSync(new URL("../../docs/telemetry.md", import.meta.url), "utf8");

/** What follows the comment that begins with this word, up to the next blank line after it. */
function sectionAfter(marker: string): string {
  const at = text.indexOf(`<!-- ${marker}:`);
  if (at < 0) throw new Error(`docs/telemetry.md has no ${marker}`);
  const start = text.indexOf("\n", at) + 1;
  return text.slice(start, text.indexOf("\n\n", start));
}

/** Rows by column name; every cell as it is written. */
export function table(marker: string): Record<string, string>[] {
  const cells = (line: string) =>
    line
      .split(/(?<!\\)\|/)
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head = "", , ...rows] = sectionAfter(marker).split("\n");
  const names = cells(head);
  return rows.map((row) => Object.fromEntries(cells(row).map((cell, at) => [names[at] ?? "", cell])));
}

/** What stands in backticks. */
export function codes(cell = ""): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
}

export const codeList = (marker: string): string[] => codes(sectionAfter(marker));
