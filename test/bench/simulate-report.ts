/** What a run comes to, as a row of the table and as goals that are met or missed. */

import type { Call, Population } from "./simulate-run.ts";
import { isBusy, type Scenario } from "./simulate-scenarios.ts";

export interface Row {
  readonly scenario: string;
  readonly population: Population;
  readonly rules: string;
  readonly calls: number;
  /** Share of the calls. */
  readonly answered: number;
  /** Calls that failed although the backup was asked and not silent, or was not asked; `null`: there is none. */
  readonly lost: number | null;
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
  /** Of the calls that were made when the incident was a minute old. */
  readonly p50Later: number;
  /** Requests beyond one per call, as a share of the calls. */
  readonly excess: number;
}

const MINUTE_MS = 60_000;

export function rowOf(
  { name: scenario, hasBackup }: Scenario,
  population: Population,
  rules: string,
  calls: readonly Call[],
): Row {
  const times = timesOf(calls);
  const requests = calls.reduce((sum, call) => sum + call.requests, 0);
  return {
    scenario,
    population,
    rules,
    calls: calls.length,
    answered: times.length / calls.length,
    lost: hasBackup ? calls.filter(isLost).length : null,
    p50: quantile(times, 0.5),
    p99: quantile(times, 0.99),
    p999: quantile(times, 0.999),
    p50Later: quantile(timesOf(calls.filter(({ atMs }) => atMs >= MINUTE_MS)), 0.5),
    excess: requests / calls.length - 1,
  };
}

const isLost = ({ ttftMs, backupWasSilent }: Call) => ttftMs === null && !backupWasSilent;

const timesOf = (calls: readonly Call[]) =>
  calls.flatMap(({ ttftMs }) => (ttftMs === null ? [] : [ttftMs])).sort((a, b) => a - b);

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

const COLUMNS: readonly (readonly [string, number, (row: Row) => string])[] = [
  ["scenario", 12, ({ scenario }) => scenario],
  ["clients", 13, ({ population }) => population.name],
  ["rules", 13, ({ rules }) => rules],
  ["calls", 7, ({ calls }) => String(calls)],
  ["answered", 9, ({ answered }) => percent(answered, 2)],
  ["lost", 5, ({ lost }) => String(lost ?? "–")],
  ["p50", 8, ({ p50 }) => seconds(p50)],
  ["p99", 8, ({ p99 }) => seconds(p99)],
  ["p99.9", 8, ({ p999 }) => seconds(p999)],
  ["p50 >1min", 10, ({ p50Later }) => seconds(p50Later)],
  ["excess", 8, ({ excess }) => percent(excess, 1)],
];

const seconds = (ms: number) => (Number.isNaN(ms) ? "–" : `${(ms / 1_000).toFixed(2)} s`);
const percent = (share: number, digits: number) => `${(100 * share).toFixed(digits)} %`;
const line = (cell: (column: (typeof COLUMNS)[number]) => string) =>
  COLUMNS.map((column) => cell(column).padEnd(column[1])).join(" ");

export const head = line(([name]) => name);
export const lineOf = (row: Row) => line(([, , text]) => text(row));

export interface Goal {
  readonly text: string;
  readonly met: boolean;
}

const WITH_BACKUP = ["outage", "brown-out", "quota", "silence"];

/** What the default rules have to show, for each population that is busy enough to learn. */
export function goalsOf(rows: readonly Row[]): Goal[] {
  return [...hedging(rows), ...rows.filter(({ rules }) => rules === "default").flatMap(goalsOfRow)];
}

function goalsOfRow({ scenario, population, lost, p50Later, excess }: Row): Goal[] {
  const of = `${scenario}, ${population.name}`;
  const goals: Goal[] = [];
  if (WITH_BACKUP.includes(scenario))
    goals.push({ text: `${of}: no call with a healthy backup fails (${lost})`, met: lost === 0 });
  if (!isBusy(population)) return goals;
  if (scenario === "silence") {
    goals.push({ text: `${of}: p50 after a minute < 3 s (${seconds(p50Later)})`, met: p50Later < 3_000 });
  }
  if (scenario === "silence" || scenario === "outage") {
    goals.push({ text: `${of}: requests in excess < 25 % (${percent(excess, 1)})`, met: excess < 0.25 });
  }
  return goals;
}

/** A hedge at p95 against none: p99.9 down by 30 %, for a tenth more requests at most. */
function hedging(rows: readonly Row[]): Goal[] {
  const healthy = rows.filter(({ scenario }) => scenario === "healthy");
  return healthy
    .filter(({ rules }) => rules === "hedge at p95")
    .flatMap((hedged): Goal[] => {
      const without = healthy.find(({ rules, population }) => rules === "no hedge" && population === hedged.population);
      if (!without) return [];
      const lower = 1 - hedged.p999 / without.p999;
      const more = hedged.excess - without.excess;
      const text = `hedging, ${hedged.population.name}: p99.9 lower by ≥ 30 % (${percent(lower, 0)}) for ≤ 10 % more requests (${percent(more, 1)})`;
      return [{ text, met: lower >= 0.3 && more <= 0.1 }];
    });
}
