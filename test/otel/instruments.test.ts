import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { CallRecord, Observer } from "../../src/index.ts";
import { otel } from "../../src/otel.ts";
import { call, MODEL } from "./facades.ts";
import { Telemetry } from "./telemetry.ts";

const way = { facade: "client", protocol: "anthropic-messages" } as const;
const usage = {
  input_tokens: 3,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 2,
  output_tokens: 7,
};
const start = {
  type: "message_start",
  message: { id: "msg_1", type: "message", role: "assistant", model: MODEL, content: [], usage },
};
const event = (data: { type: string }) => ({ send: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n` });
const text = (said: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } } as never);
const scripts = {
  "https://a.test": [{ error: "overloaded_error" }],
  "https://b.test": [
    event(start),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } } as never),
    text("one"),
    { waitMs: 40 },
    text("two"),
    event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 7 } } as never),
    event({ type: "message_stop" }),
  ],
};

async function emitted(options: Parameters<typeof otel>[0]) {
  const telemetry = new Telemetry();
  await call(way, scripts, telemetry.observer(options));
  return { telemetry, metrics: await telemetry.metrics() };
}

const times = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864];
const firstContent = [
  0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 10, 12.5, 15, 20, 25, 30, 45,
  60, 90, 120,
];
const own = [
  "ttft.client.attempt.time_to_first_content",
  "ttft.client.attempts",
  "ttft.client.fallbacks",
  "ttft.client.time_to_first_content",
];
const old = [
  "gen_ai.client.operation.duration",
  "gen_ai.client.operation.time_per_output_chunk",
  "gen_ai.client.operation.time_to_first_chunk",
  "gen_ai.client.token.usage",
];
const renamed = [
  "gen_ai.client.inference.duration",
  "gen_ai.client.inference.operation.input_tokens",
  "gen_ai.client.inference.operation.output_tokens",
  "gen_ai.client.inference.time_per_output_chunk",
  "gen_ai.client.inference.time_to_first_chunk",
  "gen_ai.client.inference.usage.cache_read.input_tokens",
  "gen_ai.client.inference.usage.input_tokens",
  "gen_ai.client.inference.usage.output_tokens",
];

afterEach(() => {
  vi.unstubAllEnvs();
});

describe("the names", () => {
  test.for([
    ["operation", [...old, ...own]],
    ["inference", [...renamed, ...own]],
    ["both", [...old, ...renamed, ...own]],
  ] as const)("are those of `%s`", async ([semconv, names]) => {
    const { metrics } = await emitted({ semconv });
    expect(metrics.map(({ name }) => name).sort()).toEqual([...names].sort());
    const schemaUrls = new Set(metrics.map(({ scope }) => scope.schemaUrl));
    expect([...schemaUrls]).toEqual([semconv === "operation" ? "https://opentelemetry.io/schemas/1.41.0" : undefined]);
  });

  test("follow the environment where no option says otherwise", async () => {
    vi.stubEnv("OTEL_SEMCONV_STABILITY_OPT_IN", "http, gen_ai_latest_experimental");
    const named = async (options: object) => (await emitted(options)).metrics.map(({ name }) => name);
    expect(await named({})).toContain("gen_ai.client.inference.duration");
    expect(await named({ semconv: "operation" })).not.toContain("gen_ai.client.inference.duration");
  });

  test("are emitted under the name and version of the package", async () => {
    const { version } = JSON.parse(readFileSync("package.json", "utf8"));
    const { metrics, telemetry } = await emitted({});
    expect(metrics[0]?.scope).toMatchObject({ name: "ttft", version });
    expect(telemetry.spans[0]?.instrumentationScope).toMatchObject({ name: "ttft", version });
  });
});

describe("the switches", () => {
  test("each take their own part away", async () => {
    const names = async (options: object) => {
      const { metrics, telemetry } = await emitted(options);
      return [metrics.map(({ name }) => name).sort(), telemetry.spans.length];
    };
    expect(await names({ spans: false })).toEqual([[...old, ...own].sort(), 0]);
    expect(await names({ genAiMetrics: false })).toEqual([own, 3]);
    expect(await names({ ownMetrics: false })).toEqual([old, 3]);
    expect(await names({ spans: undefined, genAiMetrics: undefined })).toEqual([[...old, ...own].sort(), 3]);
  });

  test("leave nothing to do per chunk without `gen_ai` metrics", () => {
    expect(otel({ genAiMetrics: false })).not.toHaveProperty("gap");
  });

  test("are checked at the door", () => {
    expect(() => otel({ semconv: "latest" as never })).toThrow(
      '`semconv` is "latest"; allowed: operation,inference,both',
    );
    expect(() => otel({ spans: "false" as never })).toThrow('`spans` is "false"; allowed: true,false');
    expect(() => otel({ propagate: true as never })).toThrow("`propagate` is boolean; allowed: function");
    expect(() => otel({ metrics: false } as never)).toThrow(
      /`metrics` is no option of otel\(\); allowed: semconv,chunk/,
    );
  });
});

describe("the instruments", () => {
  test("ask for exactly these bounds, and count in seconds and tokens", async () => {
    const { metrics } = await emitted({ semconv: "both" });
    for (const { name, unit, points } of metrics) {
      const bounds = points[0]?.bounds;
      const counts = name.includes("token");
      if (bounds === undefined) expect(unit).toMatch(/^\{\w+\}$/);
      else {
        expect([name, unit, bounds]).toEqual([
          name,
          counts ? "{token}" : "s",
          counts ? tokens : name.endsWith("first_content") ? firstContent : times,
        ]);
      }
    }
  });

  test("count cached tokens inside of the input", async () => {
    const { metrics, telemetry } = await emitted({ semconv: "both" });
    const point = (name: string) => metrics.find((metric) => metric.name === name)?.points[0];
    expect(point("gen_ai.client.inference.usage.input_tokens")).toMatchObject({
      count: 10,
      attributes: { "gen_ai.token.modality": "unknown" },
    });
    expect(point("gen_ai.client.inference.usage.cache_read.input_tokens")?.count).toBe(5);
    expect(point("gen_ai.client.inference.operation.output_tokens")?.sum).toBe(7);
    expect(point("gen_ai.client.inference.operation.output_tokens")?.attributes).not.toHaveProperty(
      "gen_ai.token.modality",
    );
    expect(
      (await telemetry.points("gen_ai.client.token.usage")).map(({ attributes, sum }) => [
        attributes["gen_ai.token.type"],
        sum,
      ]),
    ).toEqual([
      ["input", 10],
      ["output", 7],
    ]);
    expect(telemetry.operations[0]?.attributes).toMatchObject({
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.cache_read.input_tokens": 5,
      "gen_ai.response.id": "msg_1",
      "gen_ai.response.finish_reasons": ["end_turn"],
    });
  });

  test("have no attribute without a value", async () => {
    const { metrics } = await emitted({ semconv: "both" });
    const values = metrics.flatMap(({ points }) => points.flatMap(({ attributes }) => Object.values(attributes)));
    expect(values.filter((value) => value === undefined || value === null)).toEqual([]);
  });

  test("drop what is no time", async () => {
    const telemetry = new Telemetry();
    const observer = telemetry.observer() as Required<Observer>;
    const records: CallRecord[] = [];
    await call(way, { "https://a.test": ["one"] }, { callEnd: (_, record) => void records.push(record) });
    const [record] = records;
    const info = {
      callId: "c",
      label: null,
      model: MODEL,
      protocol: "openai-chat",
      endpoint: "a",
      url: new URL("https://a.test"),
      parameters: {},
    };
    for (const totalMs of [Number.NaN, Number.POSITIVE_INFINITY, -1, null]) {
      const each = { ...info } as never;
      observer.callStart(each);
      const timing = { ...record?.timing, totalMs, ttftMs: totalMs, firstOutputMs: totalMs };
      observer.callEnd(each, { ...(record as CallRecord), timing: timing as CallRecord["timing"] });
    }
    expect((await telemetry.metrics()).map(({ name }) => name)).toEqual(["gen_ai.client.token.usage"]);
    expect(telemetry.operations).toHaveLength(4);
  });
});
