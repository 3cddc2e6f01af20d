/** The options of `otel()`, checked once, and what holds where nothing is said. */
import type { MeterProvider, TracerProvider } from "@opentelemetry/api";

export interface OtelOptions {
  /**
   * Which names the `gen_ai.*` metrics have: those of semantic conventions 1.41 (`"operation"`, default), their
   * successors (`"inference"`), or each measured twice, for a migration (`"both"`). The environment variable
   * `OTEL_SEMCONV_STABILITY_OPT_IN` with `gen_ai_latest_experimental` changes the default to `"inference"`.
   */
  readonly semconv?: "operation" | "inference" | "both" | undefined;
  /**
   * What stops `time_to_first_chunk`: the first output of any kind (`"output"`, default), the first that is not
   * reasoning (`"content"`), or the first event that is not a keep-alive (`"event"`).
   */
  readonly chunk?: "output" | "content" | "event" | undefined;
  /** Default true. Off where another instrumentation has a span for the same call. */
  readonly spans?: boolean | undefined;
  /** The `gen_ai.*` metrics. Default true. Off where another instrumentation measures the same call. */
  readonly genAiMetrics?: boolean | undefined;
  /** The `ttft.*` metrics. Default true. */
  readonly ownMetrics?: boolean | undefined;
  /** Send `traceparent`/`tracestate` to this URL? Never by default. */
  readonly propagate?: ((url: URL) => boolean) | undefined;
  /** `gen_ai.provider.name`; inferred from the host otherwise. */
  readonly providerName?: ((endpoint: string, url: URL) => string | undefined) | undefined;
  /** Default: the global one, whenever it is registered. */
  readonly tracerProvider?: TracerProvider | undefined;
  /** Default: the global one, whenever it is registered. */
  readonly meterProvider?: MeterProvider | undefined;
}

const YES_OR_NO = [true, false];

/** The values of each option, or their type. */
const ALLOWED: { readonly [Name in keyof OtelOptions]-?: readonly unknown[] | "function" | "object" } = {
  semconv: ["operation", "inference", "both"],
  chunk: ["output", "content", "event"],
  spans: YES_OR_NO,
  genAiMetrics: YES_OR_NO,
  ownMetrics: YES_OR_NO,
  propagate: "function",
  providerName: "function",
  tracerProvider: "object",
  meterProvider: "object",
};

/** The options with their defaults; a wrong one is a `TypeError`. */
export function decided(options: OtelOptions) {
  for (const [name, value] of Object.entries(options)) if (value !== undefined) check(name, value);
  const {
    semconv = defaultSemconv(),
    chunk = "output",
    spans = true,
    genAiMetrics = true,
    ownMetrics = true,
  } = options;
  return { ...options, semconv, chunk, spans, genAiMetrics, ownMetrics };
}

export type Decided = ReturnType<typeof decided>;

function check(name: string, value: unknown): void {
  const allowed = ALLOWED[name as keyof OtelOptions];
  if (!allowed) throw new TypeError(`\`${name}\` is no option of otel(); allowed: ${Object.keys(ALLOWED)}`);
  if (typeof allowed === "string" ? typeof value === allowed : allowed.includes(value)) return;
  throw new TypeError(`\`${name}\` is ${typeof value === "string" ? `"${value}"` : typeof value}; allowed: ${allowed}`);
}

function defaultSemconv(): "operation" | "inference" {
  try {
    const optIn = globalThis.process?.env?.OTEL_SEMCONV_STABILITY_OPT_IN ?? "";
    return optIn.includes("gen_ai_latest_experimental") ? "inference" : "operation";
  } catch {
    // A runtime that guards its environment.
    return "operation";
  }
}
