/**
 * The closed loop, simulated: a provider slows down, limits follow the tail, and what share of the healthy calls is cut.
 * Beside it the obvious rule, p99.9 over all attempts × 1.25, which runs away where some of them stall
 * (docs/decisions/032).
 *
 * Run: npx tsx test/bench/stats-loop.ts
 */
import { createStats, fromTail, type Stats } from "../../src/stats.ts";
import { attempt, attemptInfo, callInfo, EPOCH, record, timing } from "../stats/heard.ts";
import { logNormal, randomFrom } from "../stats/shapes.ts";

const WINDOW_MS = 600_000;
const CALLS_PER_SECOND = 20;
const MEDIAN_MS = 800;
const SIGMA = 0.6;
const ANSWER_MS = 8_000;
const MAX_MS = 600_000;
const WINDOWS = 6;
const SLOWER_AFTER = 2;
const CONTEXT = { endpoint: "a", model: "m", promptTokens: 300, band: "<2k" } as const;

type Rule = (stats: Stats) => () => number;

const RULES: Readonly<Record<string, Rule>> = {
  fromTail(stats) {
    const limit = fromTail(stats, { untilThenMs: 30_000, maxMs: MAX_MS });
    return () => limit(CONTEXT) ?? MAX_MS;
  },
  "p99.9 of all × 1.25": (stats) => () => {
    const p999Ms = stats.percentiles()[0]?.firstOutput.p999Ms;
    return p999Ms ? Math.min(p999Ms * 1.25, MAX_MS) : 30_000;
  },
};

/** What happens next, in the order of time. */
class Agenda {
  readonly #events: { readonly at: number; readonly run: (at: number) => void }[] = [];

  put(at: number, run: (at: number) => void): void {
    let place = this.#events.length;
    while (place > 0 && (this.#events[place - 1]?.at ?? 0) < at) place--;
    this.#events.splice(place, 0, { at, run });
  }

  run(): void {
    for (let next = this.#events.pop(); next; next = this.#events.pop()) next.run(next.at);
  }
}

interface Call {
  readonly atMs: number;
  readonly limitMs: number;
  readonly isCut: boolean;
  readonly isStalled: boolean;
}

function simulate(rule: Rule, slowerBy: number, stalls: number): Call[] {
  const random = randomFrom(3);
  const stats = createStats({ windowMs: WINDOW_MS });
  const limitFor = rule(stats);
  const agenda = new Agenda();
  const calls: Call[] = [];
  const arrive = (now: number) => {
    const next = now - (Math.log(1 - random()) / CALLS_PER_SECOND) * 1_000;
    if (next < WINDOWS * WINDOW_MS) agenda.put(next, arrive);
    const limitMs = limitFor();
    const median = MEDIAN_MS * (now < SLOWER_AFTER * WINDOW_MS ? 1 : slowerBy);
    const isStalled = random() < stalls;
    const waitMs = isStalled ? Infinity : logNormal(random, median, SIGMA);
    calls.push({ atMs: now, limitMs, isCut: waitMs > limitMs, isStalled });
    hear(stats, agenda, now, waitMs, limitMs);
  };
  agenda.put(0, arrive);
  agenda.run();
  return calls;
}

function hear(stats: Stats, agenda: Agenda, now: number, waitMs: number, limitMs: number): void {
  const call = callInfo();
  const info = attemptInfo(call);
  const isCut = waitMs > limitMs;
  const outcome = isCut ? "timeout_first_token" : "complete";
  const times = isCut ? { totalMs: limitMs } : { firstOutputMs: waitMs, ttftMs: waitMs, totalMs: waitMs + ANSWER_MS };
  if (!isCut) agenda.put(now + waitMs, () => stats.firstOutput?.(info, waitMs));
  agenda.put(now + times.totalMs, () => {
    stats.attemptEnd?.(info, attempt({ outcome, timing: timing(times) }));
    stats.callEnd?.(call, record({ outcome, successSignal: !isCut, startedAt: EPOCH + now, timing: timing(times) }));
  });
}

function report(name: string, slowerBy: number, stalls: number): void {
  const calls = simulate(RULES[name] as Rule, slowerBy, stalls);
  const within = (from: number, to: number) =>
    calls.filter(({ atMs }) => atMs >= from * WINDOW_MS && atMs < to * WINDOW_MS);
  const cut = (from: number, to: number) => {
    const healthy = within(from, to).filter(({ isStalled }) => !isStalled);
    return `${((100 * healthy.filter(({ isCut }) => isCut).length) / healthy.length).toFixed(2)} %`;
  };
  const limit = (from: number, to: number) =>
    `${(Math.max(...within(from, to).map(({ limitMs }) => limitMs)) / 1_000).toFixed(1)} s`;
  const first = SLOWER_AFTER + 100_000 / WINDOW_MS;
  console.log(
    `${name.padEnd(20)} ×${slowerBy} slower, ${100 * stalls} % stalls: before ${cut(1, 2)}, first 100 s ${cut(2, first)},`,
    `rest of the window ${cut(first, 3)}, then ${cut(3, WINDOWS)}; limit ${limit(1.9, 2)} before, ${limit(5, 6)} at the end`,
  );
}

for (const [slowerBy, stalls] of [
  [1, 0],
  [1, 0.01],
  [1, 0.03],
  [3, 0],
  [3, 0.01],
  [10, 0],
  [10, 0.01],
] as const)
  for (const name of Object.keys(RULES)) report(name, slowerBy, stalls);
