/** In-memory OpenTelemetry exporters, and what a run left in them. */
import type { Observer } from "../../../src/index.ts";
import type { OtelEntry } from "../library.ts";

export interface Point {
  /** Recordings of a histogram, or the sum of a counter. */
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  readonly bounds: readonly number[] | null;
  readonly attributes: Readonly<Record<string, unknown>>;
}

export interface SeenTelemetry {
  readonly ended: { readonly operation: number; readonly attempt: number };
  readonly open: number;
  /** Attributes of the operation spans. */
  readonly operations: readonly Readonly<Record<string, unknown>>[];
  readonly metrics: Readonly<Record<string, { readonly unit: string; readonly points: readonly Point[] }>>;
}

export interface Telemetry {
  readonly observer: Observer;
  read(): Promise<SeenTelemetry>;
}

export async function startTelemetry({ otel }: OtelEntry): Promise<Telemetry> {
  const trace = await import("@opentelemetry/sdk-trace-base");
  const metrics = await import("@opentelemetry/sdk-metrics");
  const spans = new trace.InMemorySpanExporter();
  let started = 0;
  const counter = {
    onStart: () => void started++,
    onEnd() {},
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const tracerProvider = new trace.BasicTracerProvider({
    sampler: new trace.AlwaysOnSampler(),
    spanProcessors: [counter, new trace.SimpleSpanProcessor(spans)],
  });
  const exporter = new metrics.InMemoryMetricExporter(metrics.AggregationTemporality.CUMULATIVE);
  const reader = new metrics.PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const meterProvider = new metrics.MeterProvider({ readers: [reader] });
  return {
    observer: otel({ tracerProvider, meterProvider }),
    async read() {
      const { resourceMetrics } = await reader.collect();
      const ended = spans.getFinishedSpans();
      const attempts = ended.filter((span) => span.name === "ttft.attempt");
      const seen = {
        ended: { operation: ended.length - attempts.length, attempt: attempts.length },
        open: started - ended.length,
        operations: ended.filter((span) => span.name !== "ttft.attempt").map((span) => span.attributes),
        metrics: Object.fromEntries(
          resourceMetrics.scopeMetrics
            .flatMap((scope) => scope.metrics)
            .map((metric) => [
              metric.descriptor.name,
              { unit: metric.descriptor.unit, points: metric.dataPoints.map(pointOf) },
            ]),
        ),
      };
      await meterProvider.shutdown();
      return seen;
    },
  };
}

function pointOf({ value, attributes }: { readonly value: any; readonly attributes: object }): Point {
  const histogram = typeof value === "object";
  return {
    count: histogram ? value.count : value,
    min: histogram ? (value.min ?? null) : null,
    max: histogram ? (value.max ?? null) : null,
    bounds: histogram ? (value.buckets?.boundaries ?? null) : null,
    attributes: { ...attributes },
  };
}
