/** Rows in, tails out: what `ttft percentiles` and a series of `ttft measure` come to. Pure. */
import { modelName, recordAttempt, recordCall } from "../../stats/observe.ts";
import { type StatsKey, totalOf } from "../../stats/row.ts";
import { durationOf, type Sketch } from "../../stats/sketch.ts";
import { type LimitSuggestion, type SuggestOptions, suggestionOf } from "../../stats/suggest.ts";
import { survivalOf } from "../../stats/survival.ts";
import { type Tail, tailOf } from "../../stats/tail.ts";
import { Tails } from "../../stats/tails.ts";
import { promptBandOf } from "../../timing/limits.ts";
import type { ExportRow } from "./csv-rows.ts";
import { Slowest, type SlowTurn } from "./slowest.ts";
import type { TurnRecord } from "./turn-record.ts";

export interface SurveyRow extends StatsKey {
  readonly ttft: Tail;
  readonly firstOutput: Tail;
  readonly largestGap: Tail;
  readonly failures: Readonly<Record<string, number>>;
  readonly limits: Omit<LimitSuggestion, keyof StatsKey>;
  /** The share of attempts that the suggested first-token limit would have cut, stalls included. */
  readonly shareCut: number | null;
  /** What the percentiles were taken from: durations and how many samples each stands for. */
  readonly distribution: readonly (readonly [ms: number, samples: number])[];
  /** The share of attempts without any output after that time: what the first-token limit cuts. It levels off at the stalls. */
  readonly silence: readonly (readonly [ms: number, share: number])[];
}

export interface SurveyResult {
  readonly calls: number;
  readonly deadlineMs: number | null;
  readonly rows: readonly SurveyRow[];
  readonly slowest: readonly SlowTurn[];
}

/** A route of an export is one target, whichever models answered. */
const ANY_MODEL = "*";
const MOST_ROWS = 4_096;
const MOST_ENDPOINTS = 1_000;
const SLOWEST = 12;

export class Survey {
  #calls = 0;
  readonly #tails = new Tails(Number.POSITIVE_INFINITY, MOST_ROWS);
  readonly #slowest = new Slowest(SLOWEST);
  /** An attempt does not say its model: that of the last answer of its endpoint stands for it. */
  readonly #models = new Map<string, string>();

  /** A row of an export: its one number stands for the call and for its attempt. */
  addRow({ line, status, ttftMs, target, promptTokens }: ExportRow, source: string): void {
    this.#calls++;
    const key = { endpoint: target, model: ANY_MODEL, label: null, band: promptBandOf(promptTokens) };
    const measures = this.#tails.row(key).filling();
    if (status !== "ok") return measures.fail(status || "(no status)");
    if (ttftMs === null) return;
    measures.ttft.add(ttftMs);
    measures.answered.add(ttftMs);
    const turn = () => ({ ...key, waitMs: ttftMs, outcome: status, where: `${source}:${line}`, attempts: [] });
    this.#slowest.offer(ttftMs, turn);
  }

  addTurn(record: TurnRecord): void {
    this.#calls++;
    const { endpoint, model, label, promptBand: band, timing, outcome, attempts, callId } = record;
    const named = endpoint ?? "unknown";
    if (model !== null && (this.#models.has(named) || this.#models.size < MOST_ENDPOINTS))
      this.#models.set(named, model);
    const keyAt = (name: string) => ({ endpoint: name, model: modelName(this.#models.get(name)), label, band });
    for (const attempt of attempts) recordAttempt(this.#tails.row(keyAt(attempt.endpoint)), attempt);
    recordCall(this.#tails, keyAt(named), record);
    const waitMs = timing.ttftMs ?? timing.totalMs ?? 0;
    this.#slowest.offer(waitMs, () => ({ ...keyAt(named), waitMs, outcome, where: callId, attempts }));
  }

  result(options: SuggestOptions): SurveyResult {
    const { deadlineMs } = options;
    const rows = Array.from(this.#tails.rows(), (row) => ({ ...row.key, ...surveyed(totalOf([row]), options) }));
    return {
      calls: this.#calls,
      deadlineMs: deadlineMs === Infinity ? null : deadlineMs,
      rows: rows.sort(byName),
      slowest: this.#slowest.turns,
    };
  }
}

function surveyed(measures: ReturnType<typeof totalOf>, options: SuggestOptions): Omit<SurveyRow, keyof StatsKey> {
  const outputs = survivalOf(measures);
  const limits = suggestionOf(measures, options);
  return {
    ttft: tailOf(survivalOf({ answered: measures.ttft })),
    firstOutput: tailOf(outputs),
    largestGap: tailOf(survivalOf({ answered: measures.largestGap })),
    failures: Object.fromEntries(measures.failures),
    limits,
    shareCut: limits.firstTokenMs && outputs.shareAfter(limits.firstTokenMs),
    distribution: distributionOf(measures.ttft),
    silence: distributionOf(measures.answered).map(([ms]) => [ms, Number(outputs.shareAfter(ms).toPrecision(4))]),
  };
}

function distributionOf(sketch: Sketch): [number, number][] {
  const buckets: [number, number][] = [];
  sketch.each((bucket, count) => buckets.push([Number(durationOf(bucket).toPrecision(5)), count]));
  return buckets;
}

const BANDS = ["<2k", "2k-16k", "16k-64k", ">=64k", "unknown"];

function byName(a: StatsKey, b: StatsKey): number {
  const name = (key: StatsKey) => [key.endpoint, key.model, key.label ?? ""].join("\n");
  return name(a) < name(b) ? -1 : name(a) > name(b) ? 1 : BANDS.indexOf(a.band) - BANDS.indexOf(b.band);
}
