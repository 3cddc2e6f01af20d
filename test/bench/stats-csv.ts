/**
 * `ttft percentiles` on a CSV of 1 GB: peak memory, rows per second, and the same for a plain line reader.
 * The file is made in the system's temporary folder and removed afterwards.
 *
 * Run: npx tsx test/bench/stats-csv.ts [bytes]
 */
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createReadStream, createWriteStream, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { terminalIo } from "../../src/cli/io.ts";
import { percentilesCommand } from "../../src/cli/percentiles/command.ts";
import { logNormal, randomFrom } from "../stats/shapes.ts";

const GIGABYTE = 1_000_000_000;

async function makeCsv(path: string, bytes: number): Promise<number> {
  const random = randomFrom(1);
  const out = createWriteStream(path);
  out.write("request_id,status,ttft_ms,route_slug,model,prompt_tokens\n");
  let rows = 0;
  for (let written = 0; written < bytes; ) {
    let block = "";
    for (let at = 0; at < 5_000; at++, rows++) {
      const ttft = logNormal(random, 900, 0.6).toFixed(0);
      const tokens = Math.floor(Math.exp(4 + random() * 8));
      block += `req_${rows.toString(36)},${random() < 0.98 ? "ok" : "error"},${ttft},route-${rows % 7},gpt-5,${tokens}\n`;
    }
    written += block.length;
    if (!out.write(block)) await once(out, "drain");
  }
  out.end();
  await once(out, "finish");
  return rows;
}

/** What people would write first: lines, split at commas, nothing kept. */
async function readLinesOf(path: string): Promise<void> {
  let sum = 0;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity }))
    sum += Number(line.split(",")[2]) || 0;
  if (sum < 0) throw new Error("unreachable: it keeps the loop from being optimised away");
}

/** Each in a process of its own, so that memory is its own. */
function measured(mode: "percentiles" | "lines", path: string, rows: number): void {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...process.execArgv, process.argv[1] as string, mode, path],
    { encoding: "utf8", maxBuffer: 1e8 },
  );
  if (status !== 0) throw new Error(stderr);
  const { ms, cpuMs, rssMb } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
  const rate = (perMs: number) => `${Math.round(rows / (perMs / 1_000)).toLocaleString("en")} rows`;
  console.log(`${mode.padEnd(12)} ${(ms / 1_000).toFixed(1)} s, ${rate(ms)}/s, ${rate(cpuMs)}/CPU s, peak ${rssMb} MB`);
}

async function child(mode: string, path: string): Promise<void> {
  const began = performance.now();
  if (mode === "lines") await readLinesOf(path);
  else process.exitCode = await percentilesCommand([path, "--deadline", "30s"], terminalIo(process));
  const ms = performance.now() - began;
  // Processor time says more than the clock's on a machine that does other work; maxRSS is in KiB on every platform.
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.log(JSON.stringify({ ms, cpuMs: (userCPUTime + systemCPUTime) / 1_000, rssMb: Math.round(maxRSS / 1_024) }));
}

async function parent(bytes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "ttft-csv-"));
  const path = join(folder, "requests.csv");
  try {
    const rows = await makeCsv(path, bytes);
    console.log(`${(statSync(path).size / 1e9).toFixed(2)} GB, ${rows.toLocaleString("en")} rows`);
    measured("percentiles", path, rows);
    measured("lines", path, rows);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const [mode, path] = process.argv.slice(2);
if (path !== undefined) await child(mode as string, path);
else await parent(Number(mode ?? GIGABYTE));
