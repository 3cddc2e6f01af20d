/** The goals of the benchmark, and how far a run met them. */
import type { Results } from "./results.ts";
import { DIALECTS } from "./stub/plan.ts";

export interface Goal {
  readonly what: string;
  readonly measured: number;
  readonly most: number;
  readonly unit: string;
}

const CLIENT = "events, heard";
const KB = 1_024;

/** All that this run has numbers for. */
export function goalsOf(results: Results, importMs: number): Goal[] {
  return [
    ...cpuGoals(results),
    ...latencyGoals(results),
    ...memoryGoals(results),
    ...growthGoals(results),
    { what: "import time above eventsource-parser", measured: importMs, most: 5, unit: "ms" },
  ].filter(({ measured }) => Number.isFinite(measured));
}

function cpuGoals(results: Results): Goal[] {
  const ratio = (scenario: string, cell: string, other: string) =>
    results.against(scenario, cell, other, "cpuMs", "ratio");
  const perDialect = (scenario: string, what: string, column: string, most: number): Goal[] =>
    DIALECTS.map((dialect) => ({
      what: `${what}, ${dialect}`,
      measured: ratio(scenario, `${column}:${dialect}`, `floor1b:${dialect}`),
      most,
      unit: "× floor1b",
    }));
  const crowded = (field: string) => results.against("crowd", `${CLIENT}:chat`, "floor1b:chat", field, "ratio");
  return [
    ...perDialect("bulk", "client (events, heard), CPU in bulk", CLIENT, 1.15),
    ...perDialect("bulk", "client (turn), CPU in bulk", "turn", 1.15),
    ...perDialect("paced", "client, CPU at a real pace", CLIENT, 1.05),
    {
      what: "drop-in under the openai SDK, CPU",
      measured: ratio("bulk", "openai over fetch:chat", "openai:chat"),
      most: 1.05,
      unit: "× openai alone",
    },
    { what: "1,000 streams, CPU", measured: crowded("cpuMs"), most: 1.1, unit: "× floor1b" },
    // A twentieth is what two runs of the floor itself differ by.
    { what: "1,000 streams, p99 loop delay", measured: crowded("loopP99Ms"), most: 1.05, unit: "× floor1b" },
    ...perDialect("arguments", "tool arguments, CPU", CLIENT, 1.3),
  ];
}

function latencyGoals(results: Results): Goal[] {
  const added = (column: string) => results.median("ttft", `${column}:chat`, "addedMs");
  return [
    { what: "added median TTFT, client", measured: added(CLIENT), most: 0.03, unit: "ms" },
    { what: "added median TTFT, drop-in", measured: added("fetch, heard"), most: 0.06, unit: "ms" },
  ];
}

function memoryGoals(results: Results): Goal[] {
  const heap = (scenario: string, column: string) =>
    results.against(scenario, `${column}:chat`, "floor0:chat", "heapBytes", "difference") / KB;
  return [
    { what: "heap per open stream, client", measured: heap("heap", CLIENT), most: 3, unit: "KB" },
    { what: "heap per open stream, drop-in", measured: heap("heap", "fetch, heard"), most: 6, unit: "KB" },
    { what: "heap per stream of the many open ones", measured: heap("open", "events"), most: 3, unit: "KB" },
    ...DIALECTS.map((dialect) => ({
      what: `heap growth of a long stream, ${dialect}`,
      measured: results.median("endless", `not collected:${dialect}`, "growthBytes") / KB,
      most: 64,
      unit: "KB",
    })),
  ];
}

const DOUBLING = ["events", "bytes per event", "tool arguments, bytes", "open streams"];

function growthGoals(results: Results): Goal[] {
  return DOUBLING.map((scenario) => {
    const steps = results.of(scenario).flatMap(({ cell: { name, against } }) => {
      return against === null ? [] : [results.against(scenario, name, against, "cpuMs", "ratio")];
    });
    return {
      what: `CPU per doubling, ${scenario}`,
      measured: steps.length > 0 ? Math.max(...steps) : Number.NaN,
      most: 2.2,
      unit: "×",
    };
  });
}
