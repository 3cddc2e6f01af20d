import { context, metrics, propagation, type Span, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { afterEach, describe, expect, test } from "vitest";
import { otel } from "../../src/otel.ts";
import { call } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const way = { facade: "client", protocol: "openai-chat" } as const;
const hello = { "https://a.test": ["one"] };
const DURATION = "gen_ai.client.operation.duration";

function register(): Telemetry {
  const telemetry = new Telemetry();
  metrics.disable();
  trace.disable();
  metrics.setGlobalMeterProvider(telemetry.meterProvider);
  trace.setGlobalTracerProvider(telemetry.tracerProvider);
  return telemetry;
}

afterEach(() => {
  for (const api of [metrics, trace, context, propagation]) api.disable();
});

describe("the SDK", () => {
  test("may be absent: nothing throws and nothing is kept", async () => {
    const { turn, error } = await call(way, { "https://a.test": [{ error: "x" }], "https://b.test": ["one"] }, otel());
    expect([turn?.status, error]).toEqual(["complete", null]);
  });

  test("may be registered after the client was made and after its first calls", async () => {
    const observer = otel();
    await call(way, hello, observer);
    const telemetry = register();
    await call(way, hello, observer);
    expect(telemetry.spans).toHaveLength(2);
    expect(await telemetry.count(DURATION)).toBe(1);
  });

  test("may be replaced: what comes later goes to the new one", async () => {
    const observer = otel();
    const first = register();
    await call(way, hello, observer);
    const second = register();
    await call(way, hello, observer);
    expect([await first.count(DURATION), await second.count(DURATION)]).toEqual([1, 1]);
    expect([first.spans.length, second.spans.length]).toEqual([2, 2]);
  });

  test("may be registered through another copy of the API", async () => {
    const copy: typeof import("@opentelemetry/api") = await import(
      new URL("../../node_modules/@opentelemetry/api/build/esm/index.js?copy", import.meta.url).href
    );
    expect(copy.metrics).not.toBe(metrics);
    const telemetry = new Telemetry();
    copy.metrics.setGlobalMeterProvider(telemetry.meterProvider);
    copy.trace.setGlobalTracerProvider(telemetry.tracerProvider);
    await call(way, hello, otel());
    expect(telemetry.spans).toHaveLength(2);
    expect(await telemetry.count(DURATION)).toBe(1);
  });

  test("may be broken: the call does not notice, and spans end all the same", async () => {
    const telemetry = new Telemetry();
    const broken = {
      getMeter: () => {
        throw new Error("no meter");
      },
    };
    const { turn } = await call(way, hello, telemetry.observer({ meterProvider: broken as never }));
    expect(turn?.status).toBe("complete");
    expect([telemetry.operations.length, telemetry.started]).toEqual([1, 2]);
  });
});

describe("the caller's context", () => {
  test("is the parent of the span, and current around the request is the attempt", async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    const telemetry = register();
    const sent: (Span | undefined)[] = [];
    const listening = {
      dispatch: <Result>(_: unknown, __: unknown, next: () => Result) => {
        sent.push(trace.getActiveSpan());
        return next();
      },
    };
    const parent = trace.getTracer("app").startSpan("request");
    await context.with(trace.setSpan(context.active(), parent), () =>
      call(way, { "https://a.test": [{ error: "x" }], "https://b.test": ["one"] }, otel(), { also: listening }),
    );
    const [operation] = telemetry.operations;
    expect(operation?.parentSpanContext?.spanId).toBe(parent.spanContext().spanId);
    expect(telemetry.attempts.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      Array(2).fill(operation?.spanContext().spanId),
    );
    expect(sent.map((span) => span?.spanContext().spanId)).toEqual(
      telemetry.attempts.map((span) => span.spanContext().spanId),
    );
  });

  test("is what every measurement is made in, for exemplars", async () => {
    const contexts = new Map<string, (string | undefined)[]>();
    const telemetry = new Telemetry();
    const { meterProvider } = telemetry;
    const spying = {
      getMeter: (...scope: [string]) => {
        const meter = meterProvider.getMeter(...scope);
        const spy = (name: string, options?: object) => {
          const record = (_value: number, _attributes: object, at: Parameters<typeof trace.getSpan>[0]) =>
            contexts.set(name, [...(contexts.get(name) ?? []), trace.getSpan(at)?.spanContext().traceId]);
          void options;
          return { record, add: record };
        };
        return { ...meter, createHistogram: spy, createCounter: spy };
      },
    };
    const scripts = { "https://a.test": [{ error: "x" }], "https://b.test": ["one", { waitMs: 9 }, "two"] };
    await call(way, scripts, telemetry.observer({ meterProvider: spying as never }));
    const { traceId } = telemetry.operations[0]?.spanContext() ?? {};
    expect(contexts.size).toBe(8);
    expect(new Set([...contexts.values()].flat())).toEqual(new Set([traceId]));
  });

  test("that is not sampled gives no attempt spans, and still metrics", async () => {
    const telemetry = register();
    const { AlwaysOffSampler, BasicTracerProvider } = await import("@opentelemetry/sdk-trace-base");
    await call(way, hello, otel({ tracerProvider: new BasicTracerProvider({ sampler: new AlwaysOffSampler() }) }));
    expect(telemetry.spans).toEqual([]);
    expect(await telemetry.count(DURATION)).toBe(1);
  });
});

describe("propagation", () => {
  const propagator = {
    inject(_context: unknown, carrier: unknown, setter: { set(carrier: unknown, name: string, value: string): void }) {
      for (const name of ["traceparent", "tracestate", "baggage", "Authorization"])
        setter.set(carrier, name, `${name}-1`);
    },
    extract: (from: never) => from,
    fields: () => [],
  };

  const sentBy = async (observer: ReturnType<typeof otel>, headers: Record<string, string> = {}) => {
    propagation.setGlobalPropagator(propagator);
    const { fetch } = await call(way, hello, observer, { headers });
    return fetch.requests[0]?.headers ?? {};
  };

  test("is off", async () => {
    const headers = await sentBy(otel());
    expect(Object.keys(headers).filter((name) => /^trace|baggage|^authorization/.test(name))).toEqual([]);
  });

  test("sends two headers to the addresses that were asked for, and no baggage", async () => {
    const asked: string[] = [];
    const headers = await sentBy(otel({ propagate: ({ href }) => asked.push(href) > 0 }));
    expect(headers).toMatchObject({ traceparent: "traceparent-1", tracestate: "tracestate-1" });
    expect(headers).not.toHaveProperty("baggage");
    expect(headers).not.toHaveProperty("authorization");
    expect(asked).toEqual(["https://a.test/v1/chat/completions"]);
  });

  test("asks by address, and a header of the caller's own stays", async () => {
    expect(await sentBy(otel({ propagate: () => false }))).not.toHaveProperty("traceparent");
    const headers = await sentBy(otel({ propagate: () => true }), { traceparent: "mine" });
    expect(headers.traceparent).toBe("mine");
  });
});
