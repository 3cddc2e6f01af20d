/**
 * `npm run simulate`: the real client against simulated providers on simulated time. Numbers compare rules; they are no
 * forecast. `npm run simulate -- outage` runs one scenario. Exits with 1 if a goal is missed.
 */
import { goalsOf, head, lineOf, type Row, rowOf } from "./simulate-report.ts";
import { type Call, type Population, run } from "./simulate-run.ts";
import { P95_MS, POPULATIONS, providersOf, RULES, SCENARIOS, type Scenario } from "./simulate-scenarios.ts";

const INCIDENT_AT_MS = 30_000;
/** Small populations are run again with other seeds until there are so many calls. */
const FEWEST_CALLS = 1_500;

async function rowFor(scenario: Scenario, population: Population, rules: string): Promise<Row> {
  const { lasts } = scenario;
  const lastsMs = "ms" in lasts ? lasts.ms : (lasts.calls / population.callsPerSecond) * 1_000;
  const providers = providersOf(scenario, population, INCIDENT_AT_MS);
  const calls: Call[] = [];
  for (let seed = 1; calls.length < FEWEST_CALLS; seed++) {
    const setup = { population, rules: RULES[rules] ?? {}, seed, incidentAtMs: INCIDENT_AT_MS, lastsMs, providers };
    calls.push(...(await run(setup)));
  }
  return rowOf(scenario, population, rules, calls);
}

const asked = process.argv.slice(2);
const chosen = SCENARIOS.filter(({ name }) => asked.length === 0 || asked.includes(name));
if (chosen.length === 0)
  throw new TypeError(`there is no such scenario; there are ${SCENARIOS.map(({ name }) => name).join(", ")}`);

console.log(
  `First token log-normal, median 0.8 s (backup 1.0 s), σ 0.6, 1 % stalls, 60 ms round trip. An incident lasts 5 min, 1 without a backup.
answered: share of the calls. lost: failed although the backup would have answered. Excess: requests beyond one per call.
Hedge at p95: after ${P95_MS} ms. Default: after 30 s. Classic: one retry, then fallback, no hedge.\n\n${head}`,
);
const startedAt = performance.now();
const rows: Row[] = [];
for (const scenario of chosen) {
  for (const population of POPULATIONS) {
    for (const rules of scenario.rules) {
      const row = await rowFor(scenario, population, rules);
      rows.push(row);
      console.log(lineOf(row));
    }
  }
}
const goals = goalsOf(rows);
console.log();
for (const { text, met } of goals) console.log(`${met ? "met   " : "MISSED"} ${text}`);
const calls = rows.reduce((sum, row) => sum + row.calls, 0);
console.log(`\n${calls} calls in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
if (goals.some(({ met }) => !met)) process.exitCode = 1;
