/** Token counts as providers report them: totals, of which each replaces the one before, field by field. */
import { count } from "./usage.ts";

export type TokenCounts<Field extends string> = { [Key in Field]: number | null };

/** Takes over what a report says of the fields of `counts`. False if it is no report. */
export function takeCounts<Field extends string>(counts: TokenCounts<Field>, report: any): boolean {
  if (typeof report !== "object" || report === null) return false;
  for (const field of Object.keys(counts) as Field[]) counts[field] = count(report[field]) ?? counts[field];
  return true;
}

/** Of the parts that are known; `null` if none is. */
export const sum = (...parts: readonly (number | null)[]): number | null =>
  parts.reduce((total, part) => (part === null ? total : (total ?? 0) + part), null);
