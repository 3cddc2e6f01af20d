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

/** No collection follows: a full one throws compiled code away, which is start-up and no cost of an event. */
async function warm(column: Column, { port, warmUp, warmUpBytes }: Ordered, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await run(column, port, warmUp, warmUpBytes);
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

/** Heap and other memory per stream that stands open, between its first deltas and the rest; and how long it takes to close all. */
export async function held(column: Column, ordered: Ordered): Promise<Sample> {
  await warm(column, ordered, 1);
  for (let time = 0; time < 2; time++) collectGarbage();
  const before = process.memoryUsage();
  const { streams } = ordered;
  const { open, settled, close } = openAll(column, ordered);
  await Promise.race([open, settled.then(failEarly)]);
  await pause(ordered.plan.holdMs ? Math.min(3_000, ordered.plan.holdMs / 2) : 0);
  for (let time = 0; time < 3; time++) collectGarbage();
  const { heapUsed, rss } = process.memoryUsage();
  const closedAt = performance.now();
  close();
  await settled;
  return {
    heapBytes: (heapUsed - before.heapUsed) / streams,
    rssBytes: (rss - before.rss) / streams,
    closeMs: performance.now() - closedAt,
  };
}

/** A signal of its own for each: what many requests share is none of theirs. */
function openAll(column: Column, { streams, port, plan }: Ordered) {
  const controllers = Array.from({ length: streams }, () => new AbortController());
  let settled: Promise<unknown> = Promise.resolve();
  const open = new Promise<void>((resolve) => {
    let left = streams;
    const onDelta = { at: 3, run: () => --left === 0 && resolve() };
    const runs = controllers.map(({ signal }) =>
      column.run(Object.assign(new Ledger(port, plan, signal), { onDelta })),
    );
    settled = Promise.allSettled(runs);
  });
  return { open, settled, close: () => controllers.forEach((controller) => void controller.abort()) };
}

function failEarly(): never {
  throw new Error("the streams ended before all of them were open");
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * The heap of one long stream at four places, and how much it grew from the second to the last: half of the stream. Up
 * to the second the engine still adds compiled code.
 */
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
  const [, second = 0, ...later] = heaps;
  return { secondBytes: second, growthBytes: (later.at(-1) ?? 0) - second, looks: heaps.length };
}
