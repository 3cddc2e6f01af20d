/**
 * `npx tsx test/bench/otel.ts`: what `ttft/otel` costs with a real SDK, per call and per chunk, in events of the floor: a
 * raw `fetch`, one reused `TextDecoder`, `eventsource-parser` and one `JSON.parse` per event. CPU time, medians of rounds.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createParser } from "eventsource-parser";
import { type CallRecord, createClient, type Observer } from "../../src/index.ts";
import { otel } from "../../src/otel.ts";
import { scriptedFetch } from "../../src/testing.ts";
import type { AttemptInfo, CallInfo } from "../../src/turn/observer.ts";
import type { Attempt } from "../../src/turn/record.ts";

const EVENTS = 50_000;
const CALLS = 5_000;
const GAPS = 200_000;
const ROUNDS = 7;
const MOST_PER_CALL = 20;
const MOST_PER_CHUNK = 1;

function serve(): void {
  const event = `data: {"id":"c1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"content":" token"},"finish_reason":null}]}\n\n`;
  const server = createServer(async (_request, response) => {
    for (let sent = 0; sent < EVENTS; sent++) if (!response.write(event)) await once(response, "drain");
    response.end();
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

async function floor(url: string): Promise<void> {
  const response = await fetch(url);
  const decoder = new TextDecoder();
  let seen = 0;
  const parser = createParser({
    onEvent: ({ data }) => {
      if (JSON.parse(data).choices[0].delta.content) seen++;
    },
  });
  const reader = (response.body as ReadableStream<Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read())
    parser.feed(decoder.decode(read.value, { stream: true }));
  if (seen !== EVENTS) throw new Error(`${seen} events of ${EVENTS}`);
}

/** CPU microseconds of each of `times` things. */
async function cpuOf(times: number, run: () => void | Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / times;
}

/** A call as observers hear it. */
async function overheard(): Promise<{ call: CallInfo; attempt: AttemptInfo; result: Attempt; record: CallRecord }> {
  const heard: any = {};
  const observer: Observer = {
    callStart: (call) => Object.assign(heard, { call }),
    attemptStart: (attempt) => Object.assign(heard, { attempt }),
    attemptEnd: (_, result) => Object.assign(heard, { result }),
    callEnd: (_, record) => Object.assign(heard, { record }),
  };
  const url = "https://api.openai.com/v1/chat/completions";
  const fetch = scriptedFetch({ "/": ["one", "two"] });
  const endpoints = [{ name: "a", protocol: "openai-chat" as const, url, model: "m" }];
  await createClient({ fetch, observers: [observer], endpoints }).text(
    { messages: [], temperature: 0 },
    { label: "chat" },
  );
  return heard;
}

function withSdk(): Required<Observer> {
  const spanExporter = {
    export: (_: unknown, done: (result: { code: number }) => void) => done({ code: 0 }),
    shutdown: async () => {},
  };
  const reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 3_600_000,
  });
  return otel({
    tracerProvider: new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(spanExporter)] }),
    meterProvider: new MeterProvider({ readers: [reader] }),
  }) as Required<Observer>;
}

async function main(): Promise<void> {
  const server = fork(fileURLToPath(import.meta.url), ["serve"]);
  const [port] = await once(server, "message");
  const { call, attempt, result, record } = await overheard();
  const observer = withSdk();
  const headers = new Headers();
  const whole = () => {
    const info = { ...call };
    const at = { ...attempt, call: info };
    observer.callStart(info);
    observer.attemptStart(at);
    observer.dispatch(at, headers, () => null);
    observer.attemptEnd(at, result);
    observer.callEnd(info, record);
  };
  const at = { ...attempt, call: { ...call } };
  observer.callStart(at.call);
  observer.attemptStart(at);
  const rounds = { event: [] as number[], call: [] as number[], chunk: [] as number[] };
  for (let round = -1; round < ROUNDS; round++) {
    const taken = {
      event: await cpuOf(EVENTS, () => floor(`http://127.0.0.1:${port}/`)),
      call: await cpuOf(CALLS, () => {
        for (let n = 0; n < CALLS; n++) whole();
      }),
      chunk: await cpuOf(GAPS, () => {
        for (let n = 0; n < GAPS; n++) observer.gap(at, 20 + (n % 50));
      }),
    };
    // The first round warms up.
    if (round >= 0) for (const name of ["event", "call", "chunk"] as const) rounds[name].push(taken[name]);
  }
  server.kill();
  const median = (values: number[]) => values.sort((a, b) => a - b)[values.length >> 1] as number;
  const [event, perCall, perChunk] = [median(rounds.event), median(rounds.call), median(rounds.chunk)];
  console.log(`floor, per event      ${event.toFixed(2)} µs CPU`);
  report("ttft/otel, per call", perCall, event, MOST_PER_CALL);
  report("ttft/otel, per chunk", perChunk, event, MOST_PER_CHUNK);
}

function report(what: string, cost: number, event: number, most: number): void {
  const ratio = cost / event;
  if (ratio > most) process.exitCode = 1;
  const verdict = ratio <= most ? "ok" : "OVER";
  console.log(`${what.padEnd(21)} ${cost.toFixed(2)} µs CPU = ${ratio.toFixed(2)} events, at most ${most}  ${verdict}`);
}

if (process.argv[2] === "serve") serve();
else await main();
