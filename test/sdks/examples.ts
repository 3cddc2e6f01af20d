/** Every example as its reader runs it, against a stub: a good call, one that the backup answers, one that is cut. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createStub, type Scripts } from "ttft/testing";
import type { Report } from "../runners/report.ts";
import { CHAT, MESSAGES, RESPONSES } from "./user.ts";

interface Example {
  readonly name: string;
  readonly path: string;
  /** Below the stub's address, what the SDK is told. */
  readonly base: string;
}

const EXAMPLES: readonly Example[] = [
  { name: "openai", path: CHAT, base: "/a/v1" },
  { name: "anthropic", path: MESSAGES, base: "/a" },
  { name: "vercel-ai", path: RESPONSES, base: "/a/v1" },
  { name: "langchain", path: CHAT, base: "/a/v1" },
];

interface Run {
  readonly name: string;
  readonly a: Scripts[string];
  readonly code: number;
  readonly prints: RegExp;
}

const RUNS: readonly Run[] = [
  { name: "a good call", a: ["Hello", " from A"], code: 0, prints: /Hello from A/ },
  { name: "an overloaded provider", a: [{ error: "overloaded_error" }], code: 0, prints: /Hello from B/ },
  { name: "a cut", a: ["Hello", { end: "reset" }], code: 1, prints: /Hello[\s\S]*half an answer \(connection_lost\)/ },
  { name: "a wrong key", a: [{ status: 401 }], code: 1, prints: /no answer \(request_rejected\)/ },
];

export async function runExamples(report: Report, wanted: string): Promise<void> {
  console.log("\nexamples");
  for (const example of EXAMPLES) {
    if (!example.name.includes(wanted)) continue;
    const program = await built(example.name);
    const problems: string[] = [];
    for (const run of RUNS) problems.push(...(await problemsOf(example, program, run)));
    console.log(
      `${example.name.padEnd(32)} ${problems.length ? "NOT RIGHT" : RUNS.map(({ name }) => name).join(", ")}`,
    );
    if (problems.length) report.failed(`examples/${example.name}`, problems);
    else report.passed();
  }
}

async function problemsOf({ path, base }: Example, program: string, run: Run): Promise<string[]> {
  const stub = await createStub({ [`/a${path}`]: run.a, [`/b${path}`]: ["Hello", " from B"] });
  const baseURL = stub.url(base);
  const env = {
    OPENAI_API_KEY: "key-of-the-user",
    ANTHROPIC_API_KEY: "key-of-the-user",
    OPENAI_BASE_URL: baseURL,
    ANTHROPIC_BASE_URL: baseURL,
    BACKUP_URL: stub.url(`/b${path}`),
    BACKUP_KEY: "key-of-the-backup",
  };
  const { code, output } = await execute(program, env);
  await stub.close();
  const problems: string[] = [];
  if (code !== run.code) problems.push(`${run.name}: ends with ${code}, not ${run.code}: ${output}`);
  if (!run.prints.test(output)) problems.push(`${run.name}: prints ${JSON.stringify(output)}`);
  if (output.includes("key-of-the")) problems.push(`${run.name}: prints a key`);
  return problems;
}

/** As JavaScript beside the SDKs, so that it runs like any program: without loaders, and quickly. */
async function built(name: string): Promise<string> {
  const { build } = createRequire(import.meta.url)("esbuild");
  const path = (from: string) => fileURLToPath(new URL(from, import.meta.url));
  const outfile = join(resolve(process.env.TTFT_SDKS ?? path("./")), "node_modules", ".ttft", `${name}.mjs`);
  await build({
    entryPoints: [path(`../../examples/${name}/main.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    alias: { ttft: path("../../src/index.ts") },
    logLevel: "warning",
  });
  return outfile;
}

function execute(file: string, env: Record<string, string>): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [file], { env: { ...process.env, ...env }, timeout: 60_000 });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data) => {
      output += data;
    });
  return new Promise((done) => child.on("close", (code) => done({ code, output })));
}
