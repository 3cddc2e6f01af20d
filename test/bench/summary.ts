/** The table of the README: the same few numbers for us and for the SDKs, with what they were measured on. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Bundle, bundleOf } from "./bundles.ts";
import type { Results } from "./results.ts";

const ROOT = join(import.meta.dirname, "../..");
const SDKS = join(ROOT, "test/sdks");

interface Rival {
  readonly name: string;
  /** Its column in the scenarios, dialect included. */
  readonly column: string;
  readonly code: string;
  readonly folder: string;
}

const RIVALS: readonly Rival[] = [
  {
    name: "a plain loop",
    column: "floor1b:chat",
    code: 'export { createParser } from "eventsource-parser"',
    folder: ROOT,
  },
  { name: "`ttft`", column: "events:chat", code: 'export * from "./src/index.ts"', folder: ROOT },
  { name: "`openai`", column: "openai:chat", code: 'export { default } from "openai"', folder: SDKS },
  {
    name: "`@anthropic-ai/sdk`",
    column: "anthropic:messages",
    code: 'export { default } from "@anthropic-ai/sdk"',
    folder: SDKS,
  },
  {
    name: "`ai`",
    column: "ai:chat",
    code: 'export { streamText } from "ai"; export { createOpenAICompatible } from "@ai-sdk/openai-compatible"',
    folder: SDKS,
  },
  {
    name: "`@langchain/openai`",
    column: "langchain:chat",
    code: 'export { ChatOpenAI } from "@langchain/openai"',
    folder: SDKS,
  },
];

export async function summaryOf(results: Results, node: string, date: string): Promise<string> {
  const present = RIVALS.filter(({ column }) => Number.isFinite(results.median("bulk", column, "cpuMs")));
  const floorOf = (column: string) => `floor1b:${column.slice(column.indexOf(":") + 1)}`;
  const cpu = ({ column }: Rival) => results.against("bulk", column, floorOf(column), "cpuMs", "ratio");
  const added = ({ column }: Rival) => results.median("ttft", column, "addedMs");
  const bundles = await Promise.all(present.map(({ code, folder }) => bundleOf(code, folder)));
  return [
    `Node ${node}, ${date}, \`npm run bench\`${versionsOf(present)}:`,
    "",
    row(
      "",
      present.map(({ name }) => name),
    ),
    row(
      "---",
      present.map(() => "---"),
    ),
    row(
      "CPU per streamed event, of a plain loop",
      present.map((rival) => `× ${cpu(rival).toFixed(cpu(rival) < 9.5 ? 1 : 0)}`),
    ),
    row(
      "added to the first token, ms",
      present.map((rival) => added(rival).toFixed(2)),
    ),
    row(
      "minified and gzipped, kB",
      bundles.map(({ gzippedBytes }: Bundle) => (gzippedBytes / 1_000).toFixed(gzippedBytes < 10_000 ? 1 : 0)),
    ),
  ].join("\n");
}

const row = (head: string, cells: readonly string[]) => `| ${[head, ...cells].join(" | ")} |`;

function versionsOf(rivals: readonly Rival[]): string {
  const names = rivals.map(({ name }) => name.replaceAll("`", "")).filter((name) => existsSync(manifest(name)));
  const versions = names.map((name) => `${name} ${JSON.parse(readFileSync(manifest(name), "utf8")).version}`);
  return versions.length > 0 ? `, with ${versions.join(", ")}` : "";
}

const manifest = (name: string) => join(SDKS, "node_modules", name, "package.json");
