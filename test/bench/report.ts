/** A run as Markdown: the goals first, then the table of each scenario. */
import { type Goal, goalsOf } from "./goals.ts";
import { LAYERS, type Layer } from "./profile.ts";
import type { Result, Results } from "./results.ts";

export interface Profile {
  readonly name: string;
  /** Microseconds. */
  readonly layers: ReadonlyMap<Layer, number>;
  readonly events: number;
}

export interface Run {
  readonly node: string;
  readonly date: string;
  readonly load: string;
  readonly command: string;
  readonly leftOut: readonly string[];
  readonly importMs: number;
  readonly profiles: readonly Profile[];
  readonly failures: readonly string[];
}

const shown = (value: number, digits = 2) => (Number.isFinite(value) ? value.toFixed(digits) : "–");

export function reportOf(results: Results, run: Run): string {
  const goals = goalsOf(results, run.importMs);
  const names = [...new Set(SHOWN.keys())].filter((name) => results.of(name).length > 0);
  return [
    `## Node ${run.node}`,
    `\`${run.command}\`, ${run.date}, load ${run.load}. Medians; ratios are medians of the ratios within each round.`,
    ...(run.leftOut.length > 0 ? [`Left out, not installed: ${run.leftOut.join(", ")}.`] : []),
    ...run.failures.map((failure) => `**Failed:** ${failure}`),
    "",
    ...table(["goal", "measured", "at most", ""], goals.map(goalRow)),
    ...names.flatMap((name) => scenarioTable(results, name)),
    ...(run.profiles.length > 0 ? profileTable(run.profiles) : []),
  ].join("\n");
}

function goalRow({ what, measured, most, unit }: Goal): string[] {
  return [what, `${shown(measured, most < 1 ? 3 : 2)} ${unit}`, `${most}`, measured <= most ? "met" : "**missed**"];
}

function scenarioTable(results: Results, name: string): string[] {
  const rows = results.of(name);
  const title = rows[0]?.scenario.title ?? name;
  const fields = SHOWN.get(name) ?? [];
  const heads = ["column", ...fields.map(([head]) => head)];
  const body = rows.map((row) => [row.cell.name, ...fields.map(([, cellOf]) => cellOf(results, row))]);
  return [`### ${title}`, "", ...table(heads, body)];
}

function profileTable(profiles: readonly Profile[]): string[] {
  const heads = ["layer", ...profiles.map(({ name }) => name)];
  const rows = LAYERS.map((layer) => [
    layer,
    ...profiles.map(({ layers, events }) => shown((layers.get(layer) ?? 0) / events)),
  ]);
  return ["### Where the time goes: µs per event of the main thread, under the profiler", "", ...table(heads, rows)];
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line), ""];
}

type Field = readonly [head: string, cellOf: (results: Results, row: Result) => string];

const median = (results: Results, { scenario, cell }: Result, field: string) =>
  results.median(scenario.name, cell.name, field);

const ratio =
  (field: string) =>
  (results: Results, { scenario, cell }: Result): string =>
    cell.against === null || cell.against === cell.name
      ? ""
      : `${shown(results.against(scenario.name, cell.name, cell.against, field, "ratio"))} × ${cell.against}`;

const perEvent: Field = [
  "CPU µs/event",
  (results, row) => {
    const { plan, streams } = row.cell;
    const events = plan.argumentBytes ? plan.argumentBytes / 20 : plan.events;
    return shown((median(results, row, "cpuMs") * 1_000) / events / streams);
  },
];
const cpu: Field = ["CPU ms", (results, row) => shown(median(results, row, "cpuMs"), 0)];
const compared: Field = ["compared", ratio("cpuMs")];
const loop: Field = ["p99 loop delay ms", (results, row) => shown(median(results, row, "loopP99Ms"), 0)];
const kiloBytes = (head: string, field: string): Field => [
  head,
  (results, row) => shown(median(results, row, field) / 1_024, 1),
];
const above: Field = [
  "above floor0",
  (results, { scenario, cell }) =>
    shown(results.against(scenario.name, cell.name, "floor0:chat", "heapBytes", "difference") / 1_024, 1),
];
const heap = [kiloBytes("heap KB/stream", "heapBytes"), above, kiloBytes("RSS KB/stream", "rssBytes")];
const close: Field = ["all closed after ms", (results, row) => shown(median(results, row, "closeMs"), 0)];
const added: Field = ["added ms", (results, row) => shown(median(results, row, "addedMs"), 3)];

/** What is told of each scenario. */
const SHOWN = new Map<string, readonly Field[]>([
  ["bulk", [perEvent, compared]],
  ["cold", [perEvent, compared]],
  ["paced", [perEvent, compared]],
  ["ttft", [added]],
  ["heap", heap],
  ["crowd", [perEvent, compared, loop]],
  ["arguments", [perEvent, compared]],
  ["endless", [kiloBytes("heap KB, after three eighths", "secondBytes"), kiloBytes("growth KB", "growthBytes")]],
  ["open", [...heap, close]],
  ...["events", "bytes per event", "tool arguments, bytes", "endpoints", "observers", "open streams"].map(
    (name): [string, readonly Field[]] => [name, [cpu, compared]],
  ),
]);
