/** Holds configured limits against what is measured: one that cuts healthy calls, and one that never fires. */
import type { AttemptLimits } from "../timing/limits.ts";
import type { AttemptInfo } from "../turn/observer.ts";
import type { Measures } from "./measures.ts";
import { keyOfAttempt } from "./observe.ts";
import { type Row, type StatsKey, totalOf } from "./row.ts";
import { SHORTEST_FIRST_TOKEN_MS, SHORTEST_IDLE_MS } from "./suggest.ts";
import { type Survival, survivalOf } from "./survival.ts";
import { ENOUGH, ENOUGH_FOR_P999, inWords } from "./tail.ts";
import type { Tails } from "./tails.ts";

export interface LimitWarning {
  readonly code: string;
  readonly message: string;
}

/** A look costs as much as a few hundred samples. */
const LOOK_EVERY = 100;
const TOO_MANY_CUT = 0.01;
/** So many times the p99.9: whoever waits has left before the limit fires. */
const TOO_LONG = 10;

export function watchLimits(
  tails: Tails,
  limits: Pick<AttemptLimits, "firstTokenMs" | "idleMs">,
  onWarning: (warning: LimitWarning) => void,
): (attempt: AttemptInfo) => void {
  /** By what all labels of a route share. */
  const routes = new WeakMap<Row["recent"], { attempts: number; readonly told: Set<string> }>();
  return (attempt) => {
    const key = keyOfAttempt(attempt);
    const { recent } = tails.row(key);
    const route = routes.get(recent) ?? { attempts: 0, told: new Set() };
    routes.set(recent, route);
    if (++route.attempts % LOOK_EVERY > 0) return;
    const findings = findingsOf(key, totalOf(tails.rowsOf(key.endpoint, key.model, key.band)), limits);
    for (const id of route.told) if (!findings.has(id)) route.told.delete(id);
    for (const [id, warning] of findings) {
      if (route.told.has(id)) continue;
      route.told.add(id);
      onWarning(warning);
    }
  };
}

function findingsOf(key: StatsKey, measures: Measures, limits: Pick<AttemptLimits, "firstTokenMs" | "idleMs">) {
  const findings = new Map<string, LimitWarning>();
  const { firstTokenMs, idleMs } = limits;
  if (typeof firstTokenMs === "number") {
    const found = findingOf(survivalOf(measures), 0, firstTokenMs, SHORTEST_FIRST_TOKEN_MS);
    if (found) findings.set(`${found.code} firstTokenMs`, inFull(found, "first-token", firstTokenMs, key));
  }
  if (idleMs !== undefined) {
    const cut = measures.failures.get("timeout_idle") ?? 0;
    const found = findingOf(survivalOf({ answered: measures.largestGap }), cut, idleMs, SHORTEST_IDLE_MS);
    if (found) findings.set(`${found.code} idleMs`, inFull(found, "idle", idleMs, key));
  }
  return findings;
}

/** `cut` are waits that the limit ended and that are not among the samples. */
function findingOf(waits: Survival, cut: number, limitMs: number, shortestMs: number): LimitWarning | null {
  const samples = waits.answered + waits.unanswered + cut;
  if (samples < ENOUGH) return null;
  const share = (waits.shareAfter(limitMs) * (samples - cut) + cut) / samples;
  if (share > TOO_MANY_CUT)
    return {
      code: "limit_cuts_healthy",
      message: `${(share * 100).toFixed(1)} % of ${inWords(samples)} took longer or were cut by it`,
    };
  const p999 = waits.answeredPercentile(99.9);
  if (waits.answered < ENOUGH_FOR_P999 || limitMs <= TOO_LONG * Math.max(p999, shortestMs)) return null;
  return { code: "limit_never_fires", message: `p99.9 of ${inWords(waits.answered)} is ${inWords(p999)} ms` };
}

function inFull({ code, message }: LimitWarning, limit: string, limitMs: number, key: StatsKey): LimitWarning {
  const where = `${key.endpoint}, ${key.model}, prompts ${key.band}`;
  return { code, message: `${limit} limit of ${inWords(limitMs)} ms (${where}): ${message}` };
}
