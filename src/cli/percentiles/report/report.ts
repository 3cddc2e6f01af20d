/** One self-contained page: percentiles, tails with the suggested limits drawn over them, and the slowest turns. Pure. */
import { createHash } from "node:crypto";
import { inWords } from "../../../stats/tail.ts";
import type { SourceReport } from "../read.ts";
import type { SurveyResult, SurveyRow } from "../survey.ts";
import { duration, printable, share, target } from "../words.ts";
import { chartOf } from "./chart.ts";
import { embeddedJson, Html, html, legendOf } from "./html.ts";
import { logScale, type Scale } from "./scale.ts";
import { STYLE } from "./style.ts";
import { waterfallOf } from "./waterfall.ts";

export interface Report extends SurveyResult {
  readonly title: string;
  /** What was read; empty for a series that was measured. */
  readonly sources: readonly SourceReport[];
}

const LEGEND = [
  ["bar", "time to first token"],
  ["tail", "slower than p99"],
  ["line", "share still waiting"],
  ["line dashed", "share still silent"],
  ["limit", "suggested first-token limit"],
] as const;
/** How many tails are drawn, those with the most samples; the table and the data hold all. */
const MOST_CHARTS = 60;

export function renderReport(report: Report): string {
  const drawn = drawnRows(report.rows);
  const scale = scaleFor(drawn, report.deadlineMs ?? 0);
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none';style-src 'sha256-${hashOf(STYLE)}';base-uri 'none';form-action 'none'">
<meta name="referrer" content="no-referrer"><title>${report.title}</title><style>${new Html(STYLE)}</style></head>
<body><main><h1>${report.title}</h1><p class="lead">${leadOf(report)}</p>
<h2>Percentiles and what to set</h2><div class="card">${summaryOf(report)}</div>
<h2>Tails</h2>${legendOf(LEGEND)}${groupsOf(drawn).map((rows) => groupOf(rows, scale, report.deadlineMs))}
${report.slowest.length > 0 ? html`<h2>The slowest turns</h2><div class="card">${waterfallOf(report.slowest)}</div>` : null}
${footerOf(report)}</main>
<script type="application/json" id="data">${embeddedJson(report)}</script></body></html>
`.text;
}

function hashOf(style: string): string {
  return createHash("sha256").update(style).digest("base64");
}

function leadOf({ calls, rows, sources, deadlineMs }: Report): string {
  const samples = rows.reduce((sum, { ttft }) => sum + ttft.samples, 0);
  const read = sources.length > 0 ? ` from ${sources.map(({ name }) => printable(name)).join(", ")}` : "";
  const deadline = deadlineMs === null ? "" : ` Limits are fitted into a deadline of ${duration(deadlineMs)}.`;
  return `${inWords(calls)} calls${read}, ${inWords(samples)} of them with a time to first token.${deadline}`;
}

function drawnRows(rows: readonly SurveyRow[]): SurveyRow[] {
  const bySamples = rows.filter(({ ttft }) => ttft.note === null).sort((a, b) => b.ttft.samples - a.ttft.samples);
  const drawn = new Set(bySamples.slice(0, MOST_CHARTS));
  return rows.filter((row) => drawn.has(row));
}

/** One axis for all: a tail is only slow beside another. A deadline far beyond them all is not drawn. */
function scaleFor(rows: readonly SurveyRow[], deadlineMs: number): Scale {
  const starts = rows.map(({ distribution }) => distribution[0]?.[0] ?? 1_000);
  const ends = rows.map(({ distribution }) => distribution.at(-1)?.[0] ?? 0);
  const limits = rows.map(({ limits }) => (limits.firstTokenMs ?? 0) * 1.3);
  const end = Math.max(2_000, ...ends, ...limits);
  return logScale(
    Math.max(1, Math.min(1_000, ...starts)),
    deadlineMs < 4 * end ? Math.max(end, deadlineMs * 1.1) : end,
  );
}

function groupsOf(rows: readonly SurveyRow[]): SurveyRow[][] {
  const groups = new Map<string, SurveyRow[]>();
  for (const row of rows) groups.set(target(row), [...(groups.get(target(row)) ?? []), row]);
  return [...groups.values()];
}

function groupOf(rows: readonly SurveyRow[], scale: Scale, deadlineMs: number | null): Html {
  return html`<section class="card"><h3>${target(rows[0] as SurveyRow)}</h3>${rows.map((row) => bandOf(row, scale, deadlineMs))}</section>`;
}

function bandOf(row: SurveyRow, scale: Scale, deadlineMs: number | null): Html {
  const { limits, band } = row;
  return html`<div class="band"><div><h4>prompts ${band}</h4><dl>${factsOf(row, deadlineMs)}</dl></div>
<div>${chartOf(row, scale, deadlineMs)}</div><p class="why">${limits.why}</p></div>`;
}

function factsOf({ ttft, firstOutput, limits, shareCut }: SurveyRow, deadlineMs: number | null): Html[] {
  const fact = (name: string, value: string | Html) => html`<dt>${name}</dt><dd>${value}</dd>`;
  const facts = [fact("turns", inWords(ttft.samples))];
  if (firstOutput.samples !== ttft.samples) facts.push(fact("attempts", inWords(firstOutput.samples)));
  if (limits.firstTokenMs !== null) facts.push(fact("first-token limit", setting(limits.firstTokenMs)));
  if (shareCut !== null) facts.push(fact("would have cut", share(shareCut)));
  if (limits.firstTokenMs !== null && deadlineMs !== null) facts.push(fact("two attempts", fitOf(limits)));
  if (limits.idleMs !== null) facts.push(fact("idle limit", setting(limits.idleMs)));
  return facts;
}

function setting(ms: number): Html {
  return html`<span class="set">${duration(ms)}</span>`;
}

function fitOf({ twoAttemptsFit }: SurveyRow["limits"]): Html {
  return twoAttemptsFit ? html`<span class="good">fit</span>` : html`<span class="bad">do not fit</span>`;
}

function orDash(ms: number | null): string {
  return ms === null ? "–" : duration(ms);
}

function summaryOf({ rows, deadlineMs }: Report): Html {
  const measured = rows.filter(({ ttft, firstOutput }) => ttft.samples + firstOutput.samples > 0);
  const groups = groupsOf(measured).map(
    (group) => html`<tr class="group"><th colspan="8">${target(group[0] as SurveyRow)}</th></tr>${group.map(lineOf)}`,
  );
  function lineOf({ ttft, limits, band }: SurveyRow): Html {
    const name = html`<td>${band}</td><td>${inWords(ttft.samples)}</td>`;
    if (ttft.note !== null) return html`<tr>${name}<td class="note" colspan="6">too few for a tail estimate</td></tr>`;
    const fits = deadlineMs === null || limits.firstTokenMs === null ? null : fitOf(limits);
    return html`<tr>${name}<td>${orDash(ttft.p50Ms)}</td><td class="wide">${orDash(ttft.p90Ms)}</td><td class="wide">${orDash(ttft.p99Ms)}</td><td>${orDash(ttft.p999Ms)}</td><td class="set">${orDash(limits.firstTokenMs)}</td><td class="wide">${fits}</td></tr>`;
  }
  return html`<table><thead><tr><th>prompts</th><th>n</th><th>p50</th><th class="wide">p90</th><th class="wide">p99</th><th>p99.9</th><th>limit</th><th class="wide">${deadlineMs === null ? "" : "two attempts"}</th></tr></thead><tbody>${groups}</tbody></table>`;
}

function footerOf({ rows, sources }: Report): Html {
  const failing = rows.filter(({ failures }) => Object.keys(failures).length > 0);
  const failures = failing.map((row) => {
    const counts = Object.entries(row.failures).map(([reason, count]) => `${printable(reason)} ${inWords(count)}`);
    return html`<li>${target(row)} ${row.band}: ${counts.join(", ")}</li>`;
  });
  const bad = sources.filter((source) => source.bad.count > 0 || source.error !== null).map(badOf);
  return html`<footer>${failures.length > 0 ? html`<p>Not among the samples, since no success signal arrived:</p><ul>${failures}</ul>` : null}
${bad}<p>Percentiles are nearest rank, within 1 %, of turns whose success signal arrived; below 200 samples there are none. Orange is what is slower than p99; the curve shows on a logarithmic scale what share still waits. The first-token limit comes from the first output of attempts, silent ones included.</p></footer>`;
}

function badOf({ name, bad, error }: SourceReport): Html {
  const rows = bad.first.map(({ line, why }) => html`<li>line ${line}: ${why}</li>`);
  return html`<p>${printable(name)}: ${error === null ? "" : `${error}. `}${inWords(bad.count)} rows could not be used${bad.count > rows.length ? ", among them" : ""}</p><ul>${rows}</ul>`;
}
