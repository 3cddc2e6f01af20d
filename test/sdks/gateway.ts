/** Portkey's gateway between the SDK and the provider: it hides faults, so that only the protocol can tell them. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { freePort } from "../runners/free-port.ts";
import type { Report } from "../runners/report.ts";
import { problemsOf } from "./judge.ts";
import { type Gateway, play, wordsFor } from "./play.ts";
import { SCENARIOS, type Scenario, TEXT } from "./scenario.ts";
import { ways } from "./sdk/openai.ts";
import { CHAT, MESSAGES, type Way } from "./user.ts";

const program = fileURLToPath(new URL("node_modules/@portkey-ai/gateway/build/start-server.js", import.meta.url));
const healthy: Scenario["a"] = TEXT.split(/(?= )/);
const named = (name: string): Scenario => SCENARIOS.find((scenario) => scenario.name === name) as Scenario;

/** With a healthy B beside the gateway: what is not yet an answer is answered there. */
const ROWS: readonly Scenario[] = [
  { ...named("good call"), b: healthy },
  { ...named("reset"), b: healthy, code: "closed_before_terminal" },
  { ...named("clean cut"), b: healthy },
  named("overload at A, healthy B"),
  named("empty 200 at A, healthy B"),
  { ...named("tool call cut in its arguments"), b: healthy },
  { ...named("tool call, then cut"), b: healthy },
];

export async function showGateway(report: Report): Promise<void> {
  if (!existsSync(program)) return report.note("\n@portkey-ai/gateway is not installed");
  const { url, process } = await start();
  try {
    for (const provider of ["openai", "anthropic"]) await showProvider(report, url, provider);
  } finally {
    process.kill("SIGKILL");
  }
}

async function showProvider(report: Report, url: string, provider: string): Promise<void> {
  const gateway: Gateway = {
    url,
    path: provider === "anthropic" ? MESSAGES : CHAT,
    headersFor: (stub) => ({ "x-portkey-provider": provider, "x-portkey-custom-host": stub.url("/a/v1") }),
  };
  const way = ways.find(({ name }) => name === "openai chat") as Way;
  const title = `${way.name} → Portkey → ${provider}`;
  console.log(`\n${title}\n${"".padEnd(32)} ${"the gateway alone".padEnd(58)} createFetch with a fallback`);
  for (const row of ROWS) {
    const alone = await play(row, way, false, gateway);
    const ours = await play(row, way, true, gateway);
    const problems = problemsOf(row, ours);
    console.log(`${row.name.padEnd(32)} ${wordsFor(row, alone).padEnd(58)} ${wordsFor(row, ours)}`);
    if (problems.length) report.failed(`${title}, ${row.name}`, problems);
    else report.passed();
  }
}

async function start(): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const process = spawn(globalThis.process.execPath, [program, `--port=${port}`, "--headless"], { stdio: "ignore" });
  const url = `http://localhost:${port}`;
  for (let tries = 0; tries < 200; tries++) {
    if (
      await fetch(url).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      return { url, process };
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  process.kill("SIGKILL");
  throw new Error("the gateway did not start");
}
