/** An SDK in memory, and what has been emitted into it. */
import type { Attributes, Context } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import type { Observer } from "../../src/index.ts";
import { type OtelOptions, otel } from "../../src/otel.ts";

export interface Point {
  readonly attributes: Attributes;
  /** Of a histogram the number of recordings, of a counter its sum. */
  readonly count: number;
  readonly sum: number;
  readonly min: number | undefined;
  readonly bounds: readonly number[] | undefined;
}

export interface Metric {
  readonly name: string;
  readonly unit: string;
  readonly points: readonly Point[];
  readonly scope: { readonly name: string; readonly version?: string; readonly schemaUrl?: string };
}

export class Telemetry {
  started = 0;
  readonly #spans = new InMemorySpanExporter();
  readonly #reader = new PeriodicExportingMetricReader({
    exporter: new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE),
    exportIntervalMillis: 3_600_000,
  });
  readonly tracerProvider = new BasicTracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      {
        onStart: (_span: unknown, _context: Context) => void this.started++,
        onEnd() {},
        forceFlush: async () => {},
        shutdown: async () => {},
      },
      new SimpleSpanProcessor(this.#spans),
    ],
  });
  readonly meterProvider = new MeterProvider({ readers: [this.#reader] });

  observer(options: OtelOptions = {}): Observer {
    const { tracerProvider, meterProvider } = this;
    return otel({ tracerProvider, meterProvider, ...options });
  }

  get spans(): readonly ReadableSpan[] {
    return this.#spans.getFinishedSpans();
  }

  get operations(): readonly ReadableSpan[] {
    return this.spans.filter(({ name }) => name !== "ttft.attempt");
  }

  get attempts(): readonly ReadableSpan[] {
    return this.spans.filter(({ name }) => name === "ttft.attempt");
  }

  async metrics(): Promise<readonly Metric[]> {
    const { resourceMetrics } = await this.#reader.collect();
    return resourceMetrics.scopeMetrics.flatMap(({ scope, metrics }) =>
      metrics.map(({ descriptor, dataPoints }) => ({
        name: descriptor.name,
        unit: descriptor.unit,
        points: dataPoints.map(pointOf),
        scope,
      })),
    );
  }

  async points(name: string): Promise<readonly Point[]> {
    return (await this.metrics()).find((metric) => metric.name === name)?.points ?? [];
  }

  /** Recordings of a histogram, or what a counter has come to. */
  async count(name: string): Promise<number> {
    return (await this.points(name)).reduce((sum, { count }) => sum + count, 0);
  }

  /** Everything an exporter would send, as text. */
  async text(): Promise<string> {
    const spans = this.spans.map(({ name, attributes, status, events, resource, instrumentationScope }) => {
      return { name, attributes, status, events, resource: resource.attributes, instrumentationScope };
    });
    return JSON.stringify({ spans, metrics: await this.metrics() });
  }
}

function pointOf({ attributes, value }: { readonly attributes: Attributes; readonly value: any }): Point {
  if (typeof value === "number") return { attributes, count: value, sum: value, min: undefined, bounds: undefined };
  return { attributes, count: value.count, sum: value.sum, min: value.min, bounds: value.buckets.boundaries };
}
