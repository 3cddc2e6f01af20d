/** Spans and metrics of every call, beside an SDK that has its own, and one line per call for a log. */
import { metrics } from "@opentelemetry/api";
import { MeterProvider } from "@opentelemetry/sdk-metrics";
import { createClient, createFetch } from "ttft";
import { otel } from "ttft/otel";

metrics.setGlobalMeterProvider(new MeterProvider());
const client = createClient({
  endpoints: [{ protocol: "ollama", url: "http://localhost:11434/api/chat", model: "qwen3" }],
  observers: [otel()],
});
await client.text({ messages: [] }, { label: "title", accept: ["length"] });

// An SDK that makes its own spans and metrics: only what it cannot know.
createFetch({
  observers: [
    otel({
      spans: false,
      genAiMetrics: false,
      propagate: (url) => url.hostname.endsWith(".internal"),
      meterProvider: new MeterProvider(),
    }),
  ],
});
// The record of a call is made to be logged.
createFetch({ observers: [{ callEnd: (_, record) => console.log(JSON.stringify(record)) }] });
