/** The flags of `ttft percentiles`. */
import { parseArgs } from "node:util";
import { UsageError } from "../usage-error.ts";

export const PERCENTILES_USAGE = `ttft percentiles FILE… [flags]

  FILE               CSV with the columns status, ttft_ms, route_slug, model, prompt_tokens (status ok is a
                     sample, any other is a failure of that name), or JSONL of turn.toJSON(); either may be
                     gzipped; - reads standard input
  --deadline TIME    how long your callers wait in all, e.g. 2m, 30s or 1500ms (a bare number is milliseconds):
                     limits are fitted into it
  --headroom N       first-token limit = p99.9 × N (default 1.25)
  --html FILE        a report as one page
  --json             the result as JSON`;

interface PercentilesOptions {
  readonly files: readonly string[];
  /** `Infinity` where nobody said. */
  readonly deadlineMs: number;
  readonly headroom: number | undefined;
  readonly html: string | undefined;
  readonly json: boolean;
}

/** @throws UsageError */
export function percentilesOptions(argv: readonly string[]): PercentilesOptions {
  const { values, positionals } = parsed(argv);
  if (positionals.length === 0) throw new UsageError("which file? - reads standard input");
  if (positionals.filter((file) => file === "-").length > 1) throw new UsageError("standard input can be read once");
  return {
    files: positionals,
    deadlineMs: values.deadline === undefined ? Number.POSITIVE_INFINITY : durationMs(values.deadline),
    headroom: values.headroom === undefined ? undefined : positive("--headroom", values.headroom),
    html: values.html,
    json: values.json ?? false,
  };
}

function parsed(argv: readonly string[]) {
  const text = { type: "string" } as const;
  const options = { deadline: text, headroom: text, html: text, json: { type: "boolean" } } as const;
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function durationMs(text: string): number {
  const [, number = "", unit = ""] = /^([\d.]+)(ms|s|m|)$/.exec(text) ?? [];
  return positive("--deadline", number) * ({ s: 1_000, m: 60_000 }[unit] ?? 1);
}

function positive(flag: string, text: string): number {
  const number = Number(text);
  if (text !== "" && number > 0 && number < Infinity) return number;
  throw new UsageError(`${flag} must be above 0, e.g. ${flag === "--deadline" ? "30s" : "1.25"}`);
}
