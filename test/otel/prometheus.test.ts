import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { PrometheusExporter, PrometheusSerializer } from "@opentelemetry/exporter-prometheus";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { CallRecord } from "../../src/index.ts";
import { FIRST_CONTENT_BOUNDS, SECONDS_BOUNDS } from "../../src/otel/names.ts";
import { otel } from "../../src/otel.ts";
import type { Stub } from "../../src/testing.ts";
import { isInstalled, PrometheusServer, type Sample } from "./prometheus-server.ts";
import { BATCHES, CALLS, drive, FAILOVERS, FAILURES, startProvider } from "./traffic.ts";

const examples = (name: string) => fileURLToPath(new URL(`../../examples/dashboards/${name}`, import.meta.url));
const required = process.env.TTFT_REQUIRE?.includes("prometheus") ?? false;
const runs = required || isInstalled();

interface Panel {
  readonly title: string;
  readonly targets: readonly { readonly expr: string }[];
}
const panels: readonly Panel[] = JSON.parse(readFileSync(examples("grafana.json"), "utf8")).panels;

test.skipIf(!runs)("the rules pass their own tests", () => {
  const run = (...args: string[]) => execFileSync("promtool", args, { cwd: examples("") }).toString();
  expect(run("check", "rules", "rules.yml")).toContain("SUCCESS");
  expect(run("test", "rules", "rules.test.yml")).toContain("SUCCESS");
});

describe.skipIf(!runs)("what Prometheus knows of 500 calls", () => {
  const records: CallRecord[] = [];
  let server: PrometheusServer;
  let page: Server;
  let provider: Stub;

  beforeAll(async () => {
    const exporter = new PrometheusExporter({ preventServerStart: true });
    const observer = otel({ spans: false, meterProvider: new MeterProvider({ readers: [exporter] }) });
    // Between the batches the page stands still, so that all series change between the same two scrapes.
    let text = "";
    page = createServer((_request, response) => response.setHeader("content-type", "text/plain").end(text));
    await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
    const target = `127.0.0.1:${(page.address() as AddressInfo).port}`;
    server = await PrometheusServer.start(target, examples("rules.yml"));
    provider = await startProvider();
    // A rate is what changed between two scrapes: the second batch is the change.
    for (let batch = 1; batch <= BATCHES; batch++) {
      records.push(...(await drive(observer, provider)));
      const { resourceMetrics } = await exporter.collect();
      text = new PrometheusSerializer(undefined, false).serialize(resourceMetrics);
      await server.until(async () => (await total("gen_ai_client_operation_duration_count")) === records.length);
    }
    await server.until(async () => (await total("ttft:calls:rate5m")) > 0);
  }, 180_000);

  afterAll(async () => {
    await server?.stop();
    page?.close();
    await provider?.close();
  });

  const total = async (expression: string) => (await server.query(`sum(${expression})`))[0]?.value ?? 0;

  const queriesOf = (title: string) => {
    const panel = panels.find((each) => each.title === title);
    if (!panel) throw new Error(`there is no panel ${title}`);
    return panel.targets.map(({ expr }) =>
      expr.replaceAll("$__rate_interval", "5m").replaceAll("$endpoint", ".*").replaceAll("$model", ".*"),
    );
  };

  /** The same query, of everything that was ever counted. */
  const everCounted = (query: string) => query.replace(/rate\(((?:\{[^}]*\}|\w+(?:\{[^}]*\})?))\[5m\]\)/g, "$1");

  /** By labels, in text: exact counts, and the shares that the panel shows. */
  async function counts(title: string): Promise<Record<string, number>> {
    const [query = ""] = queriesOf(title);
    const ever = named(await server.query(everCounted(query)));
    const shown = named(await server.query(query));
    const sum = (all: Record<string, number>) => Object.values(all).reduce((a, b) => a + b, 0);
    for (const name of Object.keys(ever))
      expect((shown[name] as number) / sum(shown), `share of ${name}`).toBeCloseTo(
        (ever[name] as number) / sum(ever),
        6,
      );
    return ever;
  }

  const named = (samples: readonly Sample[]) =>
    Object.fromEntries(samples.map(({ labels, value }) => [Object.values(labels).sort().join(" "), value]));

  /** The bucket that a percentile by rank lies in. */
  function bucketOf(seconds: readonly number[], share: number, bounds: readonly number[]): number {
    const sorted = [...seconds].sort((a, b) => a - b);
    const value = sorted[Math.ceil(share * sorted.length) - 1] as number;
    return bucketAt(value, bounds);
  }
  const bucketAt = (value: number, bounds: readonly number[]) => bounds.filter((bound) => bound < value).length;

  const served = () => records.filter(({ outcome }) => outcome === "complete");
  const SHARES = [0.5, 0.9, 0.99];

  /** Of all calls exactly where ours is; of the last batch, which `rate` shows, at most one bucket beside it. */
  async function expectPercentile(
    query: string,
    share: number,
    seconds: readonly number[],
    bounds: readonly number[],
    which = {},
  ) {
    const match = ({ labels }: Sample) => Object.entries(which).every(([name, value]) => labels[name] === value);
    const ours = bucketOf(seconds, share, bounds);
    for (const each of [everCounted(query), query]) {
      const sample = (await server.query(each)).find(match);
      expect(sample, each).toBeDefined();
      expect(Math.abs(bucketAt((sample as Sample).value, bounds) - ours), each).toBeLessThanOrEqual(1);
    }
  }

  test("the run was what it was meant to be", () => {
    expect(records).toHaveLength(BATCHES * (CALLS + 2));
    expect(served()).toHaveLength(BATCHES * (CALLS - FAILURES));
  });

  test("calls by error", async () => {
    expect(await counts("Calls by error")).toEqual({
      "": BATCHES * (CALLS - FAILURES),
      "418": BATCHES * FAILURES,
      server_error: BATCHES * 2,
    });
  });

  test("attempts by outcome", async () => {
    expect(await counts("Attempts by outcome")).toEqual({
      "complete first": BATCHES * (CALLS - FAILOVERS),
      "first provider_error": BATCHES * FAILOVERS,
      "complete second": BATCHES * (FAILOVERS - FAILURES),
      "http_error second": BATCHES * FAILURES,
      "broken provider_error": BATCHES * 2,
    });
    const [query = ""] = queriesOf("Attempts per call");
    const attempts = BATCHES * (CALLS + FAILOVERS + 2);
    for (const each of [query, everCounted(query)])
      expect((await server.query(each))[0]?.value).toBeCloseTo(attempts / records.length, 6);
  });

  test("failovers, passed-over endpoints, breaker transitions", async () => {
    expect(await counts("Failovers")).toEqual({ "first overloaded_error": BATCHES * FAILOVERS });
    expect(await counts("Endpoints passed over")).toEqual({ "capability second": BATCHES * 2 });
    expect(await counts("Breaker transitions")).toEqual({ "broken open": BATCHES });
  });

  test("tokens", async () => {
    const tokens = (type: "inputTokens" | "outputTokens") =>
      records.reduce((sum, { usage }) => sum + (usage?.[type] ?? 0), 0);
    expect(await counts("Tokens per second")).toEqual({ input: tokens("inputTokens"), output: tokens("outputTokens") });
    expect(tokens("inputTokens")).toBeGreaterThan(0);
  });

  test("time to first content by endpoint and by prompt band", async () => {
    for (const name of ["first", "second"]) {
      const attempts = served().flatMap((record) => record.attempts.filter(({ endpoint }) => endpoint === name));
      const seconds = attempts.flatMap(({ timing }) => (timing.ttftMs === null ? [] : [timing.ttftMs / 1000]));
      for (const [at, query] of queriesOf("Time to first content by endpoint").entries())
        await expectPercentile(query, SHARES[at] as number, seconds, FIRST_CONTENT_BOUNDS, { ttft_endpoint: name });
    }
    for (const band of ["<2k", "2k-16k"] as const) {
      const seconds = served()
        .filter(({ promptBand }) => promptBand === band)
        .map(({ timing }) => (timing.ttftMs ?? 0) / 1000);
      for (const [at, query] of queriesOf("Time to first content by prompt band").entries())
        await expectPercentile(query, SHARES[at] as number, seconds, FIRST_CONTENT_BOUNDS, { ttft_prompt_band: band });
    }
  });

  test("first chunk against first content, and gaps", async () => {
    const seconds = (name: "firstOutputMs" | "ttftMs") => served().map(({ timing }) => (timing[name] as number) / 1000);
    const [chunk50 = "", chunk90 = "", content50 = "", content90 = ""] = queriesOf("First chunk against first content");
    await expectPercentile(chunk50, 0.5, seconds("firstOutputMs"), SECONDS_BOUNDS);
    await expectPercentile(chunk90, 0.9, seconds("firstOutputMs"), SECONDS_BOUNDS);
    await expectPercentile(content50, 0.5, seconds("ttftMs"), FIRST_CONTENT_BOUNDS);
    await expectPercentile(content90, 0.9, seconds("ttftMs"), FIRST_CONTENT_BOUNDS);
    const [, gap99 = ""] = queriesOf("Gaps between chunks");
    const gaps = served().map(({ timing }) => (timing.maxGapMs as number) / 1000);
    expect((await server.query(gap99))[0]?.value).toBeLessThanOrEqual(2 * Math.max(...gaps));
    // Two gaps an answer, unless two of its chunks came in one read.
    const count = await total("gen_ai_client_operation_time_per_output_chunk_count");
    expect(count).toBeGreaterThan(1.5 * served().length);
    expect(count).toBeLessThanOrEqual(2 * served().length);
  });

  test("every panel has been looked at", () => {
    expect(panels.map(({ title }) => title).sort()).toEqual([
      "Attempts by outcome",
      "Attempts per call",
      "Breaker transitions",
      "Calls by error",
      "Endpoints passed over",
      "Failovers",
      "First chunk against first content",
      "Gaps between chunks",
      "Time to first content by endpoint",
      "Time to first content by prompt band",
      "Tokens per second",
    ]);
  });

  test("the rules", async () => {
    const rules = await server.rules();
    expect(rules.map(({ health }) => health)).toEqual(rules.map(() => "ok"));
    const value = async (name: string) => (await server.query(name))[0]?.value;
    const calls = CALLS + 2;
    expect(await value("ttft:calls_failed:ratio5m")).toBeCloseTo((FAILURES + 2) / calls, 6);
    expect(await value("ttft:failovers_per_call:ratio5m")).toBeCloseTo(FAILOVERS / calls, 6);
    expect(named(await server.query("ttft:attempts_failed:ratio5m"))).toEqual({
      "first ttft:attempts_failed:ratio5m": expect.closeTo(FAILOVERS / CALLS, 6),
      "second ttft:attempts_failed:ratio5m": expect.closeTo(FAILURES / FAILOVERS, 6),
      "broken ttft:attempts_failed:ratio5m": 1,
    });
    const seconds = served().flatMap(({ attempts }) =>
      attempts.flatMap(({ endpoint, timing }) =>
        endpoint === "first" && timing.ttftMs !== null ? [timing.ttftMs / 1000] : [],
      ),
    );
    for (const [rule, share] of [
      ["p50", 0.5],
      ["p99", 0.99],
    ] as const)
      await expectPercentile(`ttft:attempt_time_to_first_content:${rule}_5m`, share, seconds, FIRST_CONTENT_BOUNDS, {
        ttft_endpoint: "first",
      });
    // Alerts read what the recording rules wrote an evaluation earlier: they follow within a few of them.
    await vi.waitFor(
      async () => {
        const alerts = (await server.rules()).flatMap(({ name, state }) => (state ? [[name, state]] : []));
        expect(Object.fromEntries(alerts)).toEqual({
          LlmCallsFail: "pending",
          LlmFailovers: "pending",
          LlmFirstContentSlow: "inactive",
          LlmEndpointOpen: "firing",
        });
      },
      { timeout: 15_000, interval: 500 },
    );
  });
});
