/**
 * `npm run bench`: what ttft costs beside the least that any reader of a stream must do, and beside its peers.
 *
 * `--quick` is for a busy machine, `--only bulk,ttft` runs some scenarios, `--columns <pattern>` some columns, `--node
 * <path>` runs the children on another Node. A run of everything writes its tables to `docs/performance.md` and, on the Node that
 * started it, to the README.
 */
import { execFileSync } from "node:child_process";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import type { Ordered, Sample } from "./child/sample.ts";
import { type BenchFiles, buildBenchFiles } from "./files.ts";
import { writePerformancePage, writeReadme } from "./page.ts";
import { importMs, type Stub, sampleOf, startStub } from "./processes.ts";
import { profileOf } from "./profile.ts";
import { type Profile, reportOf } from "./report.ts";
import { medianOf, Results } from "./results.ts";
import type { Cell, Scenario } from "./scenario.ts";
import { scenariosOf } from "./scenarios.ts";
import { DIALECTS, type Dialect } from "./stub/plan.ts";
import { summaryOf } from "./summary.ts";

const { values: asked } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    only: { type: "string" },
    node: { type: "string", default: process.execPath },
    rounds: { type: "string" },
    columns: { type: "string", default: "" },
  },
});
const only = asked.only?.split(",");
const wants = (name: string) => !only || only.includes(name);
const failures: string[] = [];

async function runScenario(files: BenchFiles, stub: Stub, scenario: Scenario, results: Results): Promise<void> {
  const rounds = Number(asked.rounds ?? scenario.rounds);
  const samples = scenario.cells.map((): (Sample | null)[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, cell] of scenario.cells.entries()) samples[at]?.push(await sample(files, stub, scenario, cell));
    process.stderr.write(`${scenario.name}: round ${round + 1} of ${rounds}\n`);
  }
  for (const [at, cell] of scenario.cells.entries()) results.add({ scenario, cell, samples: samples[at] ?? [] });
}

async function orderOf(files: BenchFiles, stub: Stub, { kind, warmUp }: Scenario, cell: Cell): Promise<Ordered> {
  const { column, plan, streams } = cell;
  const dialect = DIALECTS.find((name) => column.endsWith(`:${name}`)) as Dialect;
  return {
    kind,
    column,
    plan,
    streams,
    warmUp,
    module: files.path(moduleOf(column)),
    floorModule: files.path("columns/floor"),
    port: stub.port,
    payloadBytes: await stub.payloadBytes(dialect, plan),
    warmUpBytes: await stub.payloadBytes(dialect, warmUp),
  };
}

async function sample(files: BenchFiles, stub: Stub, scenario: Scenario, cell: Cell): Promise<Sample | null> {
  try {
    return await sampleOf(asked.node, files, await orderOf(files, stub, scenario, cell));
  } catch (error) {
    failures.push(`${scenario.name}, ${cell.name}: ${String(error).split("\n").at(-1)}`);
    process.stderr.write(`${scenario.name}, ${cell.name}: ${error}\n`);
    return null;
  }
}

function moduleOf(column: string): string {
  if (column.startsWith("floor")) return "columns/floor";
  if (/^\d/.test(column)) return "columns/grown";
  const sdk = /^(openai|anthropic|ai|langchain)\b/.exec(column)?.[1];
  return sdk === undefined ? "columns/ttft" : sdk === "openai" ? "columns/openai" : `peers/${sdk}`;
}

/** Of the bulk scenario, for the columns that show where our own part is. */
async function profiles(files: BenchFiles, stub: Stub, bulk: Scenario): Promise<Profile[]> {
  const found: Profile[] = [];
  for (const name of ["floor1b:messages", "turn:messages", "events:messages"]) {
    const cell = bulk.cells.find((other) => other.name === name);
    if (!cell) continue;
    const order = await orderOf(files, stub, bulk, cell);
    const layers = await profileOf((flags) => sampleOf(asked.node, files, order, flags));
    found.push({ name, layers, events: order.plan.events + 2 * order.warmUp.events });
  }
  return found;
}

/** How much longer than its one dependency ttft takes to import. */
async function addedImportMs(files: BenchFiles): Promise<number> {
  const added: number[] = [];
  for (let round = 0; round < (asked.quick ? 5 : 15); round++) {
    const least = await importMs(asked.node, files.path("import/parser"));
    added.push((await importMs(asked.node, files.path("import/ttft"))) - least);
  }
  return medianOf(added);
}

const version = execFileSync(asked.node, ["--version"], { encoding: "utf8" }).trim().slice(1);
const files = await buildBenchFiles(Number.parseInt(version, 10));
const stub = await startStub(process.execPath, files);
const results = new Results();
const date = new Date().toISOString().slice(0, 10);
try {
  const load = loadavg()[0]?.toFixed(1);
  const scenarios = scenariosOf({ quick: asked.quick, leftOut: files.leftOut, columns: new RegExp(asked.columns) });
  for (const scenario of scenarios) {
    if (wants(scenario.name)) await runScenario(files, stub, scenario, results);
  }
  const report = reportOf(results, {
    node: version,
    date,
    load: `${load} to ${loadavg()[0]?.toFixed(1)}`,
    command: asked.quick ? "npm run bench -- --quick" : "npm run bench",
    leftOut: files.leftOut,
    profiles: wants("profile") ? await profiles(files, stub, scenarios[0] as Scenario) : [],
    importMs: wants("import") ? await addedImportMs(files) : Number.NaN,
    failures,
  });
  console.log(report);
  if (!only && asked.columns === "") {
    await writePerformancePage(report);
    if (asked.node === process.execPath) await writeReadme(await summaryOf(results, version, date));
  }
} finally {
  stub.stop();
  await files.remove();
}
process.exitCode = failures.length > 0 ? 1 : 0;
