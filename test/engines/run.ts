/**
 * `npm run test:engines`: the same program on every engine there is, against a real socket. Engines that are not
 * installed are skipped, visibly; with `engines` in `TTFT_REQUIRE` they must be there.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";
import { createStub } from "../../src/testing.ts";
import { Report } from "../runners/report.ts";
import { ENGINES, type Engine, isInstalled } from "./engines.ts";
import { notClosed, SCRIPTS } from "./scripts.ts";

const HERE = import.meta.dirname;
const required = (process.env.TTFT_REQUIRE ?? "").split(",").includes("engines");
const report = new Report();

/** Once as a module and once as a script for a page. */
async function bundle(folder: string): Promise<void> {
  const shared: BuildOptions = { entryPoints: [join(HERE, "program.ts")], bundle: true, target: "es2022" };
  await build({ ...shared, format: "esm", outfile: join(folder, "program.mjs") });
  await build({ ...shared, format: "iife", globalName: "program", outfile: join(folder, "page.js") });
}

async function show(engine: Engine, folder: string): Promise<void> {
  const stub = await createStub(SCRIPTS);
  try {
    const found = await engine.run(folder, stub.url("/").slice(0, -1));
    const open = await notClosed(stub);
    found.push({ name: "what was left was closed", problem: open.length > 0 ? open.join() : null });
    for (const { name, problem } of found) {
      if (problem === null) report.passed();
      else report.failed(`${engine.name}, ${name}`, [problem]);
    }
    console.log(`${engine.name}: ${found.filter(({ problem }) => problem === null).length} of ${found.length}`);
  } catch (error) {
    report.failed(engine.name, [String(error)]);
  } finally {
    await stub.close();
  }
}

const folder = await mkdtemp(join(tmpdir(), "ttft-engines-"));
try {
  await bundle(folder);
  for (const engine of ENGINES) {
    if (isInstalled(engine)) await show(engine, folder);
    else if (required && !engine.name.startsWith("Node")) report.failed(engine.name, ["not installed"]);
    else report.skipped(engine.name, `not installed: ${engine.origin}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
report.end();
