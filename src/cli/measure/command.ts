/** `ttft measure`: the true timeline of streaming calls, against the embedded stub or a real endpoint. */
import { writeFileSync } from "node:fs";
import type { CallRecord } from "../../index.ts";
import { createStub } from "../../testing.ts";
import type { Io } from "../io.ts";
import { type MeasureOptions, measureOptions } from "./options.ts";
import { seriesOf, tableOf } from "./percentiles.ts";
import { SCENARIOS, SCRIPTS, type Scenario } from "./scenarios.ts";
import { measureSeries } from "./series.ts";
import { LEGEND, verdictOf, waterfall } from "./waterfall.ts";

/** Resolves to the exit code: 0 if every call ended as it should. */
export async function measureCommand(argv: readonly string[], io: Io): Promise<number> {
  const options = measureOptions(argv, io.env);
  return options.endpoints === null ? demonstrate(options, io) : measure(options, io);
}

async function demonstrate(options: MeasureOptions, io: Io): Promise<number> {
  const stub = await createStub(SCRIPTS);
  const records: CallRecord[] = [];
  let right = 0;
  try {
    // The first request of a process loads the runtime's HTTP client: that is no provider's latency.
    await measureScenario(SCENARIOS[0] as Scenario, stub.url, options, { progress: () => {} });
    if (!options.json) io.out(`${io.paint("dim", LEGEND)}\n`);
    for (const scenario of SCENARIOS) {
      const found = await measureScenario(scenario, stub.url, options, io);
      records.push(...found);
      const [record] = found;
      if (record === undefined) continue;
      if (record.outcome === scenario.outcome) right++;
      if (!options.json) show(record, io, scenario);
    }
  } finally {
    await stub.close();
  }
  report(records, options, io);
  if (!options.json) io.out(`${right} of ${SCENARIOS.length} calls ended as they should`);
  return right === SCENARIOS.length ? 0 : 1;
}

function measureScenario(
  scenario: Scenario,
  url: (path: string) => string,
  options: MeasureOptions,
  io: Pick<Io, "progress">,
) {
  const endpoints = scenario.endpoints.map(
    ({ name, path }) => ({ name, protocol: "openai-chat", url: url(path), model: "demo" }) as const,
  );
  const { body, calls, concurrency } = options;
  return measureSeries({ endpoints, body, calls, concurrency }, io);
}

async function measure(options: MeasureOptions, io: Io): Promise<number> {
  const records = await measureSeries({ ...options, endpoints: options.endpoints ?? [] }, io);
  const slowest = [...records].sort((a, b) => (b.timing.totalMs ?? 0) - (a.timing.totalMs ?? 0))[0];
  if (slowest && !options.json) {
    io.out(io.paint("dim", `${LEGEND}\n`));
    if (records.length > 1) io.out("the slowest call");
    show(slowest, io);
  }
  report(records, options, io);
  return records.every(({ outcome }) => outcome === "complete") ? 0 : 1;
}

function show(record: CallRecord, io: Io, scenario?: Scenario): void {
  const title = scenario ? `${io.paint("bold", scenario.title)}: ` : "";
  io.out(`${title}${verdictOf(record, io.paint)}`);
  for (const line of waterfall(record, io.columns, io.paint)) io.out(line);
  if (scenario) io.out(`  ${io.paint("cyan", scenario.lesson)}`);
  io.out("");
}

/** What outlives the terminal: the table, the JSON, the files. */
function report(records: readonly CallRecord[], options: MeasureOptions, io: Io): void {
  const series = seriesOf(records);
  if (options.json) io.out(JSON.stringify({ ...series, records }, null, 2));
  else if (options.calls > 1) for (const line of [...tableOf(series), ""]) io.out(line);
  if (options.jsonl !== undefined) {
    writeFileSync(options.jsonl, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  }
}
