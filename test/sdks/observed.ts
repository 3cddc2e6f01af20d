/** One call as each of the libraries makes it, and what the telemetry about it says: milliseconds, `null` for nothing. */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import type OpenAI from "openai";
import { createClient, createFetch } from "ttft";
import { Telemetry } from "../otel/telemetry.ts";
import { CHAT, prompt } from "./user.ts";

/** Where the call goes: to A; what we make of it may go to B. */
export interface Place {
  readonly a: string;
  readonly b: string;
}

export type Numbers = Readonly<Record<string, number | null>>;
export type Maker = (place: Place) => Promise<Numbers>;

const SETTINGS = { retry: { maxRetries: 0 }, hedge: false } as const;
const API_KEY = "key-of-the-user";
const MESSAGES = [{ role: "user" as const, content: prompt }];

/** Two of our observers, as no one of them has both meanings of the first chunk. */
class Ours {
  readonly #plain = new Telemetry();
  readonly #event = new Telemetry();
  readonly observers = [this.#plain.observer(), this.#event.observer({ chunk: "event" })];

  async numbers(): Promise<Numbers> {
    return {
      chunk: await msOf(this.#plain, "gen_ai.client.operation.time_to_first_chunk"),
      event: await msOf(this.#event, "gen_ai.client.operation.time_to_first_chunk"),
      content: await msOf(this.#plain, "ttft.client.time_to_first_content"),
      duration: await msOf(this.#plain, "gen_ai.client.operation.duration"),
    };
  }
}

/** Of the one call that was recorded. */
async function msOf(telemetry: Telemetry, name: string): Promise<number | null> {
  const [point] = await telemetry.points(name);
  return point ? point.sum * 1000 : null;
}

export const throughClient: Maker = async ({ a, b }) => {
  const ours = new Ours();
  const endpoints = [
    { name: "a", protocol: "openai-chat", url: `${a}${CHAT}`, model: "m" },
    { name: "b", protocol: "openai-chat", url: `${b}${CHAT}`, model: "m" },
  ] as const;
  const stream = await createClient({ ...SETTINGS, endpoints, observers: ours.observers }).stream({
    messages: MESSAGES,
  });
  await stream.turn();
  return ours.numbers();
};

/** The SDK's user over the plain `fetch`, or over ours, with our numbers of the very same call. */
const withOurFetch =
  (make: (place: Place, fetch: typeof globalThis.fetch) => Promise<Numbers>): Maker =>
  async (place) => {
    const ours = new Ours();
    const backup = { name: "b", protocol: "openai-chat", url: `${place.b}${CHAT}`, model: "m" } as const;
    const primary = { origin: new URL(place.a).origin, name: "a" };
    const fetch = createFetch({ ...SETTINGS, primary, fallbacks: [backup], observers: ours.observers });
    const theirs = await make(place, fetch);
    return { ...(await ours.numbers()), ...theirs };
  };

/** The AI SDK's own spans. */
async function aiCall({ a }: Place, fetch: typeof globalThis.fetch): Promise<Numbers> {
  const telemetry = new Telemetry();
  const provider = createOpenAICompatible({ name: "stub", baseURL: `${a}/v1`, apiKey: API_KEY, fetch });
  const result = streamText({
    model: provider("m"),
    prompt,
    maxRetries: 0,
    onError: () => {},
    experimental_telemetry: { isEnabled: true, tracer: telemetry.tracerProvider.getTracer("ai") },
  });
  let failed = 0;
  for await (const part of result.fullStream) if (part.type === "error") failed = 1;
  const span = telemetry.spans.find(({ name }) => name === "ai.streamText.doStream");
  const attribute = (name: string) => (span?.attributes[name] as number | undefined) ?? null;
  return {
    sdkFirst: attribute("ai.response.msToFirstChunk"),
    sdkEnd: attribute("ai.response.msToFinish"),
    failed,
  };
}

/** The package as an instrumentation sees it: it patches what `require` loads. */
function instrumented(): { Client: typeof OpenAI; instrumentation: any } {
  const home = process.env.TTFT_SDKS ? pathToFileURL(`${process.env.TTFT_SDKS}/`) : import.meta.url;
  const require = createRequire(new URL("package.json", home));
  const { OpenAIInstrumentation } = require("@opentelemetry/instrumentation-openai");
  const instrumentation = new OpenAIInstrumentation();
  return { instrumentation, Client: require("openai").OpenAI };
}

const { Client, instrumentation } = instrumented();

/** OpenTelemetry's spans and metrics of the `openai` package. */
async function openaiCall({ a }: Place, fetch: typeof globalThis.fetch): Promise<Numbers> {
  const telemetry = new Telemetry();
  instrumentation.setTracerProvider(telemetry.tracerProvider);
  instrumentation.setMeterProvider(telemetry.meterProvider);
  const client = new Client({ apiKey: API_KEY, baseURL: `${a}/v1`, maxRetries: 0, fetch });
  let failed = 0;
  try {
    const body = { model: "m", messages: MESSAGES, stream: true, stream_options: { include_usage: true } } as const;
    for await (const _ of await client.chat.completions.create(body));
  } catch {
    failed = 1;
  }
  return {
    sdkFirst: await anyFirst(telemetry),
    sdkEnd: await msOf(telemetry, "gen_ai.client.operation.duration"),
    spans: telemetry.spans.length,
    failed,
  };
}

/** Whatever it might call a time to a first something: a metric or an attribute of a span. */
async function anyFirst(telemetry: Telemetry): Promise<number | null> {
  const metric = (await telemetry.metrics()).find(({ name }) => /first/i.test(name));
  if (metric) return msOf(telemetry, metric.name);
  for (const { attributes } of telemetry.spans)
    for (const [name, value] of Object.entries(attributes)) if (/first/i.test(name)) return Number(value);
  return null;
}

export const throughAi: Maker = (place) => aiCall(place, globalThis.fetch);
export const throughOpenai: Maker = (place) => openaiCall(place, globalThis.fetch);
export const throughAiOverOurs = withOurFetch(aiCall);
export const throughOpenaiOverOurs = withOurFetch(openaiCall);
