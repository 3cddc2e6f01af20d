/** `npm run test:sdks`: what the code of a user sees of each fault, with the plain `fetch` and with ours. */
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Report } from "../runners/report.ts";
import { runExamples } from "./examples.ts";
import { showGateway } from "./gateway.ts";
import { problemsOf } from "./judge.ts";
import { play, type Seen, wordsFor } from "./play.ts";
import { SCENARIOS, type Scenario } from "./scenario.ts";
import { ways as ai } from "./sdk/ai.ts";
import { ways as anthropic } from "./sdk/anthropic.ts";
import { ways as langchain } from "./sdk/langchain.ts";
import { ways as openai } from "./sdk/openai.ts";
import type { Way } from "./user.ts";

const [wantedWay = "", wantedScenario = ""] = process.argv.slice(2);
const report = new Report();
const unhandled: unknown[] = [];
process.on("unhandledRejection", (reason) => unhandled.push(reason));
const totals = { plain: { silent: 0, hangs: 0, tools: 0 }, ours: { silent: 0, hangs: 0, tools: 0 } };

console.log(`node ${process.version}, ${versions()}`);
for (const way of [...openai, ...anthropic, ...ai, ...langchain]) if (way.name.includes(wantedWay)) await showWay(way);
for (const [fetch, { silent, hangs, tools }] of Object.entries(totals))
  console.log(`${fetch}: ${hangs} hangs, ${silent} answers cut without an error, ${tools} tools run from a cut turn`);
if ("gateway".includes(wantedWay)) await showGateway(report);
await runExamples(report, wantedWay);
report.end();
process.exit();

async function showWay(way: Way): Promise<void> {
  console.log(`\n${way.name}\n${"".padEnd(32)} ${"fetch".padEnd(58)} createFetch`);
  const scenarios = SCENARIOS.filter(
    ({ name, leaves }) => name.includes(wantedScenario) && !(leaves === "break" && way.noBreak),
  );
  const plain = await inTurns(scenarios, (scenario) => play(scenario, way, false));
  unhandled.length = 0;
  const ours = await inTurns(scenarios, (scenario) => play(scenario, way, true));
  scenarios.forEach((scenario, at) => {
    const [before, after] = [plain[at] as Seen, ours[at] as Seen];
    count(totals.plain, scenario, before);
    count(totals.ours, scenario, after);
    const problems = problemsOf(scenario, after);
    const cells = [wordsFor(scenario, before).padEnd(58), wordsFor(scenario, after)];
    console.log(`${scenario.name.padEnd(32)} ${cells.join(" ")}${problems.length ? "  <- NOT RIGHT" : ""}`);
    if (problems.length) report.failed(`${way.name}, ${scenario.name}`, problems);
    else report.passed();
  });
  if (unhandled.length)
    report.failed(
      way.name,
      unhandled.map((reason) => `unhandled rejection: ${String(reason)}`),
    );
}

function count(
  total: { silent: number; hangs: number; tools: number },
  { expected, waits }: Scenario,
  seen: Seen,
): void {
  if (expected === "left") return;
  if (seen.hangs) total.hangs += waits ? 0 : 1;
  else if (expected.endsWith("error") && seen.error === undefined) total.silent++;
  if (expected.endsWith("error") && seen.tools.length > 0) total.tools++;
}

/** All at once would be a test of this machine. */
async function inTurns<Item, Result>(items: readonly Item[], run: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.map((item, at) => async () => {
    results[at] = await run(item);
  });
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) await next();
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}

function versions(): string {
  const folder = resolve(process.env.TTFT_SDKS ?? fileURLToPath(new URL(".", import.meta.url)));
  const { dependencies } = createRequire(import.meta.url)(`${folder}/package.json`);
  return Object.entries(dependencies)
    .map(([name, version]) => `${name} ${version}`)
    .join(", ");
}
