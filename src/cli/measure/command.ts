/** `ttft measure`: the true timeline of streaming calls, against the embedded stub or a real endpoint. */
import type { CallRecord } from "../../index.ts";
import { createStub } from "../../testing.ts";
import type { Io, Stop } from "../io.ts";
import { type MeasureOptions, measureOptions } from "./options.ts";
import { reportSeries } from "./output.ts";
import { SCENARIOS, SCRIPTS, type Scenario } from "./scenarios.ts";
import { measureSeries } from "./series.ts";
import { LEGEND, verdictOf, waterfall } from "./waterfall.ts";

/**
 * Resolves to the exit code: 0 if every call ended as it should.
 * @throws UsageError for a wrong flag, TypeError for a wrong endpoint.
 */
export async function measureCommand(argv: readonly string[], io: Io, stop: Stop): Promise<number> {
  const options = measureOptions(argv, io.env);
  return options.endpoints === null ? demonstrate(options, io) : measure(options, options.endpoints, io, stop());
}

async function demonstrate(options: MeasureOptions, io: Io): Promise<number> {
  const stub = await createStub(SCRIPTS);
  const records: CallRecord[] = [];
  let right = 0;
  try {
    // The first request of a process loads the runtime's HTTP client: that is no provider's latency.
    await measureScenario(SCENARIOS[0] as Scenario, stub.url, { ...options, calls: 1 }, { progress: () => {} });
    if (!options.json) io.out(`${io.paint("dim", LEGEND)}\n`);
    for (const scenario of SCENARIOS) {
      const found = await measureScenario(scenario, stub.url, options, io);
      records.push(...found);
      if (found.every(({ outcome }) => outcome === scenario.outcome)) right++;
      if (found[0] && !options.json) show(found[0], io, scenario);
    }
  } finally {
    await stub.close();
  }
  reportSeries(records, options, io);
  if (!options.json) io.out(`${right} of ${SCENARIOS.length} calls ended as they should`);
  return right === SCENARIOS.length ? 0 : 1;
}

function measureScenario(
  scenario: Scenario,
  url: (path: string) => string,
  { body, calls, concurrency }: MeasureOptions,
  io: Pick<Io, "progress">,
): Promise<CallRecord[]> {
  const endpoints = scenario.endpoints.map(
    ({ name, path }) => ({ name, protocol: "openai-chat", url: url(path), model: "demo" }) as const,
  );
  return measureSeries({ endpoints, body, calls, concurrency }, io);
}

async function measure(
  options: MeasureOptions,
  endpoints: NonNullable<MeasureOptions["endpoints"]>,
  io: Io,
  signal: AbortSignal,
): Promise<number> {
  const records = await measureSeries({ ...options, endpoints }, io, signal);
  const slowest = [...records].sort((a, b) => (b.timing.totalMs ?? 0) - (a.timing.totalMs ?? 0))[0];
  if (slowest && !options.json) {
    io.out(io.paint("dim", `${LEGEND}\n`));
    if (records.length > 1) io.out("the slowest call");
    show(slowest, io);
  }
  reportSeries(records, options, io);
  return records.length > 0 && records.every(({ outcome }) => outcome === "complete") ? 0 : 1;
}

function show(record: CallRecord, io: Io, scenario?: Scenario): void {
  const title = scenario ? `${io.paint("bold", scenario.title)}: ` : "";
  io.out(`${title}${verdictOf(record, io.paint)}`);
  for (const line of waterfall(record, io.columns, io.paint)) io.out(line);
  if (scenario) io.out(`  ${io.paint("cyan", scenario.lesson)}`);
  io.out("");
}
