/** The slowest turns: every attempt as a lane on one time axis, from the call's start. */
import type { SlowTurn } from "../slowest.ts";
import type { TurnAttempt } from "../turn-record.ts";
import { duration, printable, target } from "../words.ts";
import { type Html, html, legendOf } from "./html.ts";
import { linearScale, type Scale } from "./scale.ts";

const LEGEND = [
  ["headers", "until headers"],
  ["silent", "until first output"],
  ["thinking", "until first content"],
  ["answer", "answer"],
  ["failed", "failed attempt"],
] as const;
const LANE = 18;
const BAR = 12;
const AXIS = 18;

export function waterfallOf(turns: readonly SlowTurn[]): Html {
  const scale = linearScale(Math.max(1, ...turns.map(lastMoment)));
  return html`<ol class="turns">${turns.map((turn, at) => turnOf(turn, scale, at === turns.length - 1))}</ol>
${legendOf(LEGEND)}`;
}

function lastMoment({ waitMs, attempts }: SlowTurn): number {
  return Math.max(waitMs, ...attempts.map(({ startMs, timing }) => startMs + (timing.totalMs ?? 0)));
}

function turnOf(turn: SlowTurn, scale: Scale, isLast: boolean): Html {
  const lanes =
    turn.attempts.length > 0 ? turn.attempts.map(laneOf) : [{ label: "", phases: [phase("silent", 0, turn.waitMs)] }];
  const height = lanes.length * LANE + (isLast ? AXIS : 0);
  const isWhole = turn.outcome === "complete" || turn.outcome === "ok";
  return html`<li><p><b>${duration(turn.waitMs)}</b> ${target(turn)}${isWhole ? null : html` <b class="bad">${printable(turn.outcome)}</b>`}
<small>prompts ${turn.band} · ${printable(turn.where)}</small></p>
<svg class="chart" width="100%" height="${height}" role="img" aria-label="${lanes.length} attempts, first content after ${duration(turn.waitMs)}">
${axisOf(scale, lanes.length * LANE, isLast)}${lanes.map((lane, at) => drawnLane(lane, at, scale))}
</svg></li>`;
}

interface Lane {
  readonly label: string;
  readonly phases: readonly Phase[];
}

interface Phase {
  readonly kind: "headers" | "silent" | "thinking" | "answer" | "failed";
  readonly fromMs: number;
  readonly toMs: number;
}

function phase(kind: Phase["kind"], fromMs: number, toMs: number): Phase {
  return { kind, fromMs, toMs };
}

/** From the moments that were reached; an attempt that brought nothing is one stretch of failure. */
function phasesOf({ startMs, timing, outcome }: TurnAttempt): Phase[] {
  const end = timing.totalMs ?? 0;
  const output = timing.firstOutputMs;
  if (output === null && outcome !== "complete") return [phase("failed", startMs, startMs + end)];
  const moments = [
    ["headers", timing.headersMs],
    ["silent", output],
    ["thinking", timing.ttftMs],
    ["answer", end],
  ] as const;
  const phases: Phase[] = [];
  let from = 0;
  for (const [kind, to] of moments) {
    if (to === null || to <= from) continue;
    phases.push(phase(kind, startMs + from, startMs + to));
    from = to;
  }
  return phases;
}

function laneOf(attempt: TurnAttempt, _: number, { length }: readonly TurnAttempt[]): Lane {
  const { endpoint, outcome } = attempt;
  const label =
    length > 1 || outcome !== "complete" ? `${printable(endpoint)}: ${printable(outcome ?? "running")}` : "";
  return { label, phases: phasesOf(attempt) };
}

function drawnLane({ label, phases }: Lane, at: number, scale: Scale): Html {
  const top = at * LANE + (LANE - BAR) / 2;
  const bars = phases.map(({ kind, fromMs, toMs }) => {
    const width = Math.max(0.25, scale.percent(toMs) - scale.percent(fromMs)).toFixed(2);
    return html`<rect class="${kind}" x="${scale.at(fromMs)}" y="${top}" width="${width}%" height="${BAR}"><title>${duration(toMs - fromMs)}</title></rect>`;
  });
  const endMs = phases.at(-1)?.toMs ?? 0;
  const isInside = scale.percent(endMs) > 55;
  return html`${bars}<text class="lane" x="${scale.at(endMs)}" dx="${isInside ? -6 : 6}" y="${top + BAR - 2}" text-anchor="${isInside ? "end" : "start"}">${label}</text>`;
}

function axisOf(scale: Scale, height: number, isNamed: boolean): Html {
  const ticks = scale.ticks.map(({ ms, label }) => {
    const anchor = scale.percent(ms) < 3 ? "start" : scale.percent(ms) > 95 ? "end" : "middle";
    const name = html`<text class="axis" x="${scale.at(ms)}" y="${height + AXIS - 4}" text-anchor="${anchor}">${label}</text>`;
    return html`<line class="grid" x1="${scale.at(ms)}" x2="${scale.at(ms)}" y1="0" y2="${height}"/>${isNamed ? name : null}`;
  });
  return html`${ticks}`;
}
