/** The processes of a run: one stub, and a fresh child per sample. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Ordered, Sample } from "./child/sample.ts";
import type { BenchFiles } from "./files.ts";
import { addressOf, type Dialect, PATHS, type Plan } from "./stub/plan.ts";

const PATIENCE_MS = 300_000;

export interface Stub {
  readonly port: number;
  /** Has the answer built, and says how long it is. */
  payloadBytes(dialect: Dialect, plan: Plan): Promise<number>;
  stop(): void;
}

export async function startStub(node: string, files: BenchFiles): Promise<Stub> {
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const process = spawn(node, ["--max-old-space-size=8192", files.path("stub/main")], { stdio: [...stdio] });
  const [line] = await once(createInterface(process.stdout), "line");
  const port = Number(line);
  return {
    port,
    async payloadBytes(dialect, plan) {
      const { headers } = await fetch(addressOf(port, plan) + PATHS[dialect], { method: "HEAD" });
      return Number(headers.get("x-payload"));
    },
    stop: () => process.kill(),
  };
}

/** The last line that it prints, as numbers. Rejects with what it complained of. */
export async function sampleOf(
  node: string,
  files: BenchFiles,
  ordered: Ordered,
  flags: readonly string[] = [],
): Promise<Sample> {
  return JSON.parse(await output(node, ["--expose-gc", ...flags, files.path("child/main"), JSON.stringify(ordered)]));
}

/** How long a fresh process takes to import a bundle, ms. */
export async function importMs(node: string, file: string): Promise<number> {
  const script = `const at = performance.now(); await import(${JSON.stringify(file)}); console.log(performance.now() - at);`;
  return Number(await output(node, ["--input-type=module", "-e", script]));
}

async function output(node: string, args: readonly string[]): Promise<string> {
  const child = spawn(node, args, { stdio: ["ignore", "pipe", "pipe"], timeout: PATIENCE_MS, killSignal: "SIGKILL" });
  let said = "";
  let complaint = "";
  child.stdout.on("data", (text) => {
    said += text;
  });
  child.stderr.on("data", (text) => {
    complaint += text;
  });
  const [code, signal] = await once(child, "close");
  if (code === 0) return said.trim().split("\n").at(-1) ?? "";
  throw new Error(signal ? `ended by ${signal} after ${PATIENCE_MS / 1_000} s` : complaint.trim().slice(-400));
}
