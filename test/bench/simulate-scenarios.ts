/** What is simulated: who calls, what goes wrong, and by which rules. */
import { classicPolicy } from "../../src/index.ts";
import { type Fate, healthy, limited, type Provider, SIGMA } from "./simulate-providers.ts";
import type { Population, Rules } from "./simulate-run.ts";

export const POPULATIONS: readonly Population[] = [
  { name: "1 × 50/s", clients: 1, callsPerSecond: 50 },
  { name: "1 × 1/s", clients: 1, callsPerSecond: 1 },
  { name: "200 × 0.25/s", clients: 200, callsPerSecond: 50 },
  { name: "200 × 1/min", clients: 200, callsPerSecond: 200 / 60 },
];

/** Browsers with a call a minute learn too slowly for the bounds on load and waiting; they are reported apart. */
export const isBusy = ({ clients, callsPerSecond }: Population) => callsPerSecond / clients >= 0.25;

const PRIMARY_MEDIAN_MS = 800;
const BACKUP_MEDIAN_MS = 1_000;
/** The 95th percentile of the primary's first token, network included. */
export const P95_MS = Math.round(60 + PRIMARY_MEDIAN_MS * Math.exp(1.645 * SIGMA));

export const RULES: Readonly<Record<string, Rules>> = {
  default: {},
  "no hedge": { hedge: false },
  "hedge at p95": { hedge: { afterMs: P95_MS } },
  classic: { ...classicPolicy },
  "no budget": { retryBudget: false },
};

type Incident = (primary: Provider, random: () => number, population: Population) => Provider;

export interface Scenario {
  readonly name: string;
  readonly rules: readonly string[];
  readonly incident: Incident;
  readonly hasBackup: boolean;
  /** Of calls that are counted, for each population. */
  readonly lasts: { readonly calls: number } | { readonly ms: number };
}

const lasts = { ms: 300_000 };
const rules = ["default", "classic"];
const always =
  (fate: Fate): Incident =>
  () =>
  () =>
    fate;
const QUOTA = 0.6;
const quota: Incident = (primary, _, { callsPerSecond }) => limited(QUOTA * callsPerSecond, primary);

export const SCENARIOS: readonly Scenario[] = [
  {
    name: "healthy",
    rules: ["no hedge", "default", "hedge at p95"],
    incident: (primary) => primary,
    hasBackup: true,
    lasts: { calls: 6_000 },
  },
  { name: "outage", rules, incident: always({ kind: "refused" }), hasBackup: true, lasts },
  {
    name: "brown-out",
    rules,
    incident: (primary, random) => (now) => (random() < 0.3 ? { kind: "error", status: 503 } : primary(now)),
    hasBackup: true,
    lasts,
  },
  { name: "quota", rules, incident: quota, hasBackup: true, lasts },
  { name: "silence", rules, incident: always({ kind: "silence" }), hasBackup: true, lasts },
  { name: "quota alone", rules: ["default", "no budget"], incident: quota, hasBackup: false, lasts: { ms: 60_000 } },
];

/** The primary is healthy until the incident begins. */
export function providersOf(scenario: Scenario, population: Population, incidentAtMs: number) {
  return (random: () => number): Readonly<Record<string, Provider>> => {
    const primary = healthy(random, PRIMARY_MEDIAN_MS);
    const troubled = scenario.incident(primary, random, population);
    const a: Provider = (now) => (now < incidentAtMs ? primary(now) : troubled(now));
    return scenario.hasBackup ? { a, b: healthy(random, BACKUP_MEDIAN_MS) } : { a };
  };
}
