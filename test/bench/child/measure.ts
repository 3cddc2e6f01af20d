/** What can be measured of one column in one process. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Column } from "../columns/column.ts";
import { Ledger, run } from "./ledger.ts";
import type { Ordered, Sample } from "./sample.ts";

const collectGarbage = (globalThis as { gc?: () => void }).gc ?? (() => {});

const cpuMs = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
};

async function warm(column: Column, { port, warmUp, warmUpBytes }: Ordered, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await run(column, port, warmUp, warmUpBytes);
  collectGarbage();
}

/** One stream, as fast as it comes. */
export async function bulk(column: Column, ordered: Ordered): Promise<Sample> {
  await warm(column, ordered, 2);
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  await run(column, ordered.port, ordered.plan, ordered.payloadBytes);
  return { cpuMs: cpuMs(cpu), wallMs: performance.now() - startedAt };
}

/** Many streams beside each other. */
export async function crowd(column: Column, ordered: Ordered): Promise<Sample> {
  await warm(column, ordered, 1);
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const cpu = process.cpuUsage();
  const streams = Array.from({ length: ordered.streams }, () =>
    run(column, ordered.port, ordered.plan, ordered.payloadBytes),
  );
  await Promise.all(streams);
  loop.disable();
  return { cpuMs: cpuMs(cpu), loopP99Ms: loop.percentile(99) / 1e6 };
}

/** First deltas of two columns, request by request, in turns. */
export async function pairs(column: Column, floor: Column, ordered: Ordered): Promise<Sample> {
  const first = async (of: Column): Promise<number> => {
    const startedAt = performance.now();
    const ledger = await run(of, ordered.port, ordered.plan, ordered.payloadBytes);
    return ledger.firstAt - startedAt;
  };
  for (let time = 0; time < 100; time++) {
    await first(floor);
    await first(column);
  }
  const added: number[] = [];
  for (let pair = 0; pair < ordered.streams; pair++) {
    const before = pair % 2 === 0 ? await first(floor) : null;
    const ours = await first(column);
    added.push(ours - (before ?? (await first(floor))));
  }
  added.sort((a, b) => a - b);
  return { addedMs: added[added.length >> 1] as number, pairs: added.length };
}

/** Heap and other memory per stream that stands open half way. */
export async function held(column: Column, ordered: Ordered): Promise<Sample> {
  await warm(column, ordered, 1);
  collectGarbage();
  const before = process.memoryUsage();
  const { streams, port, plan } = ordered;
  const half = new Promise<void>((resolve) => {
    let left = streams;
    const at = Math.max(1, (plan.events >> 1) - 5);
    const onDelta = { at, run: () => --left === 0 && resolve() };
    for (let stream = 0; stream < streams; stream++) {
      const ledger = Object.assign(new Ledger(port, plan), { onDelta });
      column.run(ledger).catch((error: unknown) => {
        console.error(error);
        process.exit(1);
      });
    }
  });
  await half;
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let time = 0; time < 3; time++) collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  return { heapBytes: (heapUsed - before.heapUsed) / streams, rssBytes: (rss - before.rss) / streams };
}

/** The heap of one long stream, at its quarters. */
export async function endless(column: Column, ordered: Ordered): Promise<Sample> {
  await warm(column, ordered, 1);
  const { port, plan, payloadBytes } = ordered;
  const heaps: number[] = [];
  const ledger = new Ledger(port, plan);
  const step = plan.events >> 2;
  const look = () => {
    collectGarbage();
    heaps.push(process.memoryUsage().heapUsed);
    ledger.onDelta = { at: ledger.deltas + step, run: look };
  };
  ledger.onDelta = { at: step >> 1, run: look };
  await column.run(ledger);
  ledger.check(payloadBytes);
  const [first = 0, ...later] = heaps;
  return { firstBytes: first, growthBytes: (later.at(-1) ?? 0) - first, looks: heaps.length };
}
