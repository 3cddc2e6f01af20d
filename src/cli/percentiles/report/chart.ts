/** One tail, drawn: how waits are distributed above, what share still waits below, and the limit over both. */
import { bucketOf, durationOf } from "../../../stats/sketch.ts";
import type { SurveyRow } from "../survey.ts";
import { duration } from "../words.ts";
import { type Html, html } from "./html.ts";
import type { Scale } from "./scale.ts";

/** Pixels, top to bottom: labels, distribution, what still waits (five decades), axis. */
const BARS = { top: 18, height: 66 };
const TAIL = { top: 96, decade: 22, decades: 4 };
const FLOOR = TAIL.top + TAIL.decade * TAIL.decades;
const HEIGHT = FLOOR + 20;
/** Sketch buckets per bar: whole ones, or bars would wave. */
const PER_BAR = 5;

export function chartOf(row: SurveyRow, scale: Scale, deadlineMs: number | null): Html {
  const { firstTokenMs } = row.limits;
  const named = `Distribution of time to first token, prompts ${row.band}: median ${row.ttft.p50Ms === null ? "unknown" : duration(row.ttft.p50Ms)}`;
  return html`<svg class="chart" width="100%" height="${HEIGHT}" role="img" aria-label="${named}">
${gridOf(scale)}
${firstTokenMs === null ? null : html`<rect class="beyond" x="${scale.at(firstTokenMs)}" y="${BARS.top}" width="${(100 - scale.percent(firstTokenMs)).toFixed(2)}%" height="${FLOOR - BARS.top}"/>`}
${barsOf(row, scale)}
${curvesOf(row, scale)}
${deadlineMs === null || scale.percent(deadlineMs) === 100 ? null : ruleOf("deadline", deadlineMs, scale)}
${firstTokenMs === null ? null : ruleOf("limit", firstTokenMs, scale)}
${marksOf(row, scale)}
</svg>`;
}

function gridOf(scale: Scale): Html {
  const vertical = scale.ticks.map(({ ms, label }) => {
    const anchor = scale.percent(ms) < 3 ? "start" : scale.percent(ms) > 97 ? "end" : "middle";
    return html`<line class="grid" x1="${scale.at(ms)}" x2="${scale.at(ms)}" y1="${BARS.top}" y2="${FLOOR}"/><text class="axis" x="${scale.at(ms)}" y="${FLOOR + 15}" text-anchor="${anchor}">${label}</text>`;
  });
  const horizontal = [0, 1, 2, 3, 4].map((decades) => {
    const y = TAIL.top + decades * TAIL.decade;
    const label = `${100 / 10 ** decades} %`;
    return html`<line class="grid" x1="0" x2="100%" y1="${y}" y2="${y}"/><text class="axis" x="2" y="${y + 12}">${decades === TAIL.decades ? "" : label}</text>`;
  });
  return html`${vertical}${horizontal}`;
}

function barsOf({ distribution, ttft }: SurveyRow, scale: Scale): Html {
  const bars = new Map<number, number>();
  for (const [ms, samples] of distribution) {
    const bar = Math.floor(bucketOf(ms) / PER_BAR);
    bars.set(bar, (bars.get(bar) ?? 0) + samples);
  }
  const most = Math.max(...bars.values());
  const drawn = Array.from(bars, ([bar, samples]) => {
    const [fromMs, toMs] = [durationOf(bar * PER_BAR) / 1.01, durationOf((bar + 1) * PER_BAR) / 1.01];
    const height = Math.max(1, (BARS.height * samples) / most);
    const part = ttft.p99Ms !== null && fromMs >= ttft.p99Ms ? "bar tail" : "bar";
    const width = Math.max(0.3, scale.percent(toMs) - scale.percent(fromMs) - 0.1);
    return html`<rect class="${part}" x="${scale.at(fromMs)}" y="${(BARS.top + BARS.height - height).toFixed(1)}" width="${width.toFixed(2)}%" height="${height.toFixed(1)}"><title>${duration(fromMs)} to ${duration(toMs)}: ${samples}</title></rect>`;
  });
  return html`${drawn}<line class="base" x1="0" x2="100%" y1="${BARS.top + BARS.height}" y2="${BARS.top + BARS.height}"/>`;
}

/** Logarithmic both ways: a tail that bends down ends, one that runs on straight does not. */
function curvesOf({ distribution, silence, ttft, firstOutput }: SurveyRow, scale: Scale): Html {
  let left = ttft.samples;
  const waiting = distribution.map(([ms, samples]) => {
    left -= samples;
    return [ms, left / ttft.samples] as const;
  });
  // An export has one number for both.
  const isSame = firstOutput.samples === ttft.samples && firstOutput.p999Ms === ttft.p999Ms;
  const height = FLOOR - TAIL.top;
  return html`<svg x="0" y="${TAIL.top}" width="100%" height="${height}" viewBox="0 0 1000 ${height}" preserveAspectRatio="none">${isSame ? null : html`<path class="curve output" d="${stepsOf(silence, scale)}"/>`}<path class="curve" d="${stepsOf(waiting, scale)}"/></svg>`;
}

function stepsOf(points: SurveyRow["silence"], scale: Scale): string {
  let path = `M0,${y(1)}`;
  for (const [ms, remaining] of points) path += `H${(scale.percent(ms) * 10).toFixed(1)}V${y(remaining)}`;
  return `${path}${points.length > 0 && (points.at(-1)?.[1] ?? 0) > 0 ? "H1000" : ""}`;
}

function y(remaining: number): string {
  return Math.min(TAIL.decades * TAIL.decade, -Math.log10(Math.max(remaining, 1e-9)) * TAIL.decade).toFixed(1);
}

/** The limit speaks to its left and the deadline to its right, since it is the later one; both give way at the edges. */
function ruleOf(kind: "limit" | "deadline", ms: number, scale: Scale): Html {
  const at = scale.percent(ms);
  const isLeft = kind === "limit" ? at > 25 : at > 72;
  const top = kind === "limit" ? 12 : BARS.top + 12;
  return html`<line class="${kind}" x1="${scale.at(ms)}" x2="${scale.at(ms)}" y1="${top - 9}" y2="${FLOOR}"/><text class="${kind}" x="${scale.at(ms)}" dx="${isLeft ? -6 : 6}" y="${top}" text-anchor="${isLeft ? "end" : "start"}">${kind} ${duration(ms)}</text>`;
}

/** Names stand below and left of their points: under the curve there is room. */
function marksOf({ ttft }: SurveyRow, scale: Scale): Html {
  const marks = [
    ["p50", ttft.p50Ms, 0.5],
    ["p90", ttft.p90Ms, 0.1],
    ["p99", ttft.p99Ms, 0.01],
    ["p99.9", ttft.p999Ms, 0.001],
  ] as const;
  const drawn = marks.map(([name, ms, remaining]) => {
    if (ms === null) return html``;
    const isLeft = scale.percent(ms) > 25;
    const top = TAIL.top + Number(y(remaining));
    return html`<circle class="mark" cx="${scale.at(ms)}" cy="${top}" r="3.5"/><text class="mark" x="${scale.at(ms)}" y="${top + (isLeft ? 13 : 4)}" dx="${isLeft ? -6 : 8}" text-anchor="${isLeft ? "end" : "start"}"><tspan class="name">${name}</tspan> ${duration(ms)}</text>`;
  });
  return html`${drawn}`;
}
