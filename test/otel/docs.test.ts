import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { OTLPMetricExporter } from "@opentelemetry/exporter-metrics-otlp-http";
import { PrometheusExporter } from "@opentelemetry/exporter-prometheus";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import { beforeAll, describe, expect, test } from "vitest";
import { isErrorCode } from "../../src/policy/provider-codes.ts";
import { byReason } from "../../src/policy/reasons.ts";
import { codeList, codes, table } from "./docs-tables.ts";
import { emitEverything } from "./everything.ts";
import { Telemetry } from "./telemetry.ts";

interface Emitted {
  readonly type: string;
  readonly unit: string;
  readonly bounds: readonly number[] | null;
  readonly attributes: ReadonlySet<string>;
}

let telemetry: Telemetry;
let otlp: Map<string, Emitted>;
let newer: Map<string, Emitted>;
let prometheus: string;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** What a run sends to a loopback server as OTLP JSON, and what a scrape of it reads. */
async function exported(options: object): Promise<{ otlp: Map<string, Emitted>; prometheus: string }> {
  const received: any[] = [];
  const collector = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push(JSON.parse(body));
    response.end("{}");
  });
  const exporter = new OTLPMetricExporter({ url: `${await listen(collector)}/v1/metrics` });
  const scraped = new PrometheusExporter({ preventServerStart: true });
  const meterProvider = new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 }), scraped],
  });
  await emitEverything(telemetry.observer({ ...options, meterProvider }));
  const page = createServer((request, response) => scraped.getMetricsRequestHandler(request, response));
  const prometheus = await (await fetch(await listen(page))).text();
  await meterProvider.shutdown();
  for (const server of [collector, page]) server.close();
  return { otlp: emittedIn(received), prometheus };
}

function emittedIn(received: readonly any[]): Map<string, Emitted> {
  const metrics = received.flatMap(({ resourceMetrics }) =>
    resourceMetrics.flatMap((resource: any) => resource.scopeMetrics.flatMap((scope: any) => scope.metrics)),
  );
  return new Map(
    metrics.map(({ name, unit, histogram, sum }) => {
      const points: any[] = (histogram ?? sum).dataPoints;
      const attributes = new Set<string>(points.flatMap((point) => point.attributes.map(({ key }: any) => key)));
      const type = histogram ? "histogram" : sum.isMonotonic ? "counter" : "sum";
      return [name, { type, unit, bounds: histogram ? points[0].explicitBounds : null, attributes }];
    }),
  );
}

const boundsNamed = (name: string | undefined) => {
  const row = table("bounds").find(({ bounds }) => bounds === name);
  return row ? (row[""] ?? "").split(", ").map(Number) : null;
};

beforeAll(async () => {
  telemetry = new Telemetry();
  ({ otlp, prometheus } = await exported({}));
  ({ otlp: newer } = await exported({ semconv: "inference" }));
});

describe("docs/telemetry.md says of the metrics what a run sends", () => {
  const rows = () => table("metrics").map((row) => ({ ...row, metric: codes(row.name)[0] as string }));

  test("names, and no others", () => {
    expect(
      rows()
        .map(({ metric }) => metric)
        .sort(),
    ).toEqual([...otlp.keys()].sort());
    const renamed = table("inference").map(({ name }) => codes(name)[0]);
    const own = [...otlp.keys()].filter((name) => name.startsWith("ttft."));
    expect([...renamed, ...own].sort()).toEqual([...newer.keys()].sort());
  });

  test("types, units and bounds", () => {
    for (const [where, all] of [
      ["metrics", otlp],
      ["inference", newer],
    ] as const)
      for (const row of table(where)) {
        const name = codes(row.name)[0] as string;
        const { type, unit, bounds } = all.get(name) as Emitted;
        expect([name, type, unit, bounds]).toEqual([name, row.type, codes(row.unit)[0], boundsNamed(row.bounds)]);
      }
  });

  test("attributes, each of them explained", () => {
    const explained = table("attributes").flatMap(({ attribute }) => codes(attribute));
    for (const { metric, ...row } of rows()) {
      const named = codes((row as Record<string, string>).attributes);
      expect([metric, ...named.sort()]).toEqual([metric, ...[...(otlp.get(metric) as Emitted).attributes].sort()]);
    }
    expect(new Set(rows().flatMap((row) => codes((row as Record<string, string>).attributes)))).toEqual(
      new Set(explained),
    );
  });

  test("and Prometheus reads the same", () => {
    for (const [name, { type, attributes }] of otlp) {
      const exposed = `${name.replaceAll(".", "_")}${type === "counter" ? "_total" : ""}`;
      expect(prometheus).toContain(`# TYPE ${exposed} ${type}\n`);
      const lines = prometheus
        .split("\n")
        .filter((line) => line.startsWith(`${exposed}${type === "counter" ? "" : "_count"}{`));
      const labels = new Set(
        lines.flatMap((line) => [...line.matchAll(/(\w+)="/g)].map((match) => match[1] as string)),
      );
      const own = [...labels].filter((label) => !label.startsWith("otel_scope_"));
      expect(own.sort()).toEqual([...attributes].map((attribute) => attribute.replaceAll(".", "_")).sort());
    }
  });
});

describe("docs/telemetry.md says of the spans what a run sends", () => {
  test.for([
    ["operation span", () => telemetry.operations],
    ["attempt span", () => telemetry.attempts],
  ] as const)("%s", ([marker, spans]) => {
    const documented = table(marker).flatMap(({ attribute }) => codes(attribute));
    const sent = new Set(spans().flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...sent].sort()).toEqual(documented.sort());
  });
});

describe("docs/telemetry.md lists", () => {
  test("every outcome there is", () => {
    const documented = table("outcomes").flatMap(({ value }) => codes(value));
    expect(documented.sort()).toEqual([...Object.keys(byReason), "complete", "hedge_lost"].sort());
  });

  test("only codes that the policy knows, and all of them", async () => {
    const { readFile } = await import("node:fs/promises");
    const source = await readFile(new URL("../../src/policy/provider-codes.ts", import.meta.url), "utf8");
    const known = [...source.matchAll(/\.\.\.row\([^"]+"([^"]+)"\)/g)].flatMap((match) =>
      (match[1] as string).split(" "),
    );
    const documented = codeList("codes");
    expect(documented.filter((code) => !isErrorCode(code))).toEqual([]);
    expect(known.length).toBeGreaterThan(20);
    expect(documented.sort()).toEqual(known.sort());
  });
});
