/** Exports and logs to read, and a terminal to read what is said of them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Io } from "../../src/cli/io.ts";
import { percentilesCommand } from "../../src/cli/percentiles/command.ts";
import type { SurveyResult } from "../../src/cli/percentiles/survey.ts";
import type { Attempt, CallRecord } from "../../src/turn/record.ts";
import { attempt, record, timing } from "../stats/heard.ts";
import { logNormal, randomFrom } from "../stats/shapes.ts";

export const HEADER = "status,ttft_ms,route_slug,model,prompt_tokens";

export interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  readonly progress: readonly string[];
}

export async function run(argv: readonly string[], stdin: readonly (string | Uint8Array)[] = []): Promise<Run> {
  const lines = { out: [] as string[], err: [] as string[], progress: [] as string[] };
  const io: Io = {
    out: (line) => void lines.out.push(line),
    err: (line) => void lines.err.push(line),
    progress: (line) => void lines.progress.push(line),
    columns: 100,
    paint: (_, text) => text,
    env: {},
  };
  async function* chunks() {
    for (const chunk of stdin) yield Buffer.from(chunk as string);
  }
  const code = await percentilesCommand(argv, io, chunks());
  return { code, out: lines.out.join("\n"), err: lines.err.join("\n"), progress: lines.progress };
}

export type Json = SurveyResult & { readonly sources: readonly any[] };

export async function runJson(argv: readonly string[], stdin: readonly (string | Uint8Array)[] = []): Promise<Json> {
  return JSON.parse((await run([...argv, "--json"], stdin)).out);
}

export interface Folder {
  readonly path: string;
  file(name: string, content: string | Uint8Array): string;
  remove(): void;
}

export function folder(): Folder {
  const path = mkdtempSync(join(tmpdir(), "ttft-percentiles-"));
  return {
    path,
    file(name, content) {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Rows of a few routes and models, of all prompt sizes, with failures and answers that were not streamed. */
export function exportRows(count: number, seed = 42): string[] {
  const random = randomFrom(seed);
  const targets = [
    ["support-chat", "gpt-5", 700, 0.5],
    ["agent", "claude-opus-4", 1_900, 0.8],
    ["", "gpt-5-mini", 350, 0.45],
    ["rare", "gpt-5", 900, 0.5],
  ] as const;
  return Array.from({ length: count }, () => {
    const [route, model, medianMs, sigma] = targets[
      random() < 0.005 ? 3 : Math.floor(random() * 3)
    ] as (typeof targets)[0];
    const tokens = Math.floor(Math.exp(4 + random() * 8));
    const failed = random() < 0.02;
    const ttft = failed || random() < 0.01 ? "" : logNormal(random, medianMs * (1 + tokens / 30_000), sigma).toFixed(1);
    return `${failed ? "error" : "ok"},${ttft},${route},${model},${random() < 0.01 ? "" : tokens}`;
  });
}

/** A turn as `turn.toJSON({ content: false })` writes it: answered at once, or after a first attempt that was cut. */
export function turnLine(at: number, random: () => number): CallRecord {
  const isCut = random() < 0.01;
  const startMs = isCut ? 6_000 : 0;
  const first = logNormal(random, 800, 0.5);
  const thinking = random() < 0.3 ? logNormal(random, 1_200, 0.4) : 0;
  const times = {
    headersMs: first * 0.4,
    firstEventMs: first * 0.5,
    firstOutputMs: first,
    ttftMs: first + thinking,
    totalMs: first + thinking + logNormal(random, 5_000, 0.5),
    maxGapMs: logNormal(random, 150, 0.8),
  };
  const cut: Attempt[] = isCut
    ? [attempt({ endpoint: "a", outcome: "timeout_first_token", gate: "failed", timing: timing({ totalMs: 6_000 }) })]
    : [];
  const serving = attempt({ endpoint: isCut ? "b" : "a", index: cut.length, startMs, timing: timing(times) });
  return record({
    callId: `call-${at}`,
    label: random() < 0.5 ? "chat" : "search",
    endpoint: serving.endpoint,
    model: serving.endpoint === "a" ? "gpt-5" : "claude-opus-4",
    attempts: [...cut, serving],
    timing: timing({
      ...times,
      firstOutputMs: startMs + times.firstOutputMs,
      ttftMs: startMs + times.ttftMs,
      totalMs: startMs + times.totalMs,
    }),
  });
}

export function turnLines(count: number, seed = 9): string {
  const random = randomFrom(seed);
  return Array.from({ length: count }, (_, at) => `${JSON.stringify(turnLine(at, random))}\n`).join("");
}
