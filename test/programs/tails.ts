/** Limits that follow what is really measured, and advice for limits that are written down. */
import { createClient } from "ttft";
import { createStats, fromTail } from "ttft/stats";

const stats = createStats();
const client = createClient({
  endpoints: [
    {
      name: "openai",
      protocol: "openai-responses",
      url: "https://api.openai.com/v1/responses",
      apiKey: process.env.OPENAI_API_KEY,
      model: "gpt-5",
    },
  ],
  observers: [stats],
  limits: { firstTokenMs: fromTail(stats, { untilThenMs: 30_000 }), totalMs: 90_000 },
  hedge: { afterMs: fromTail(stats, { percentile: 95, headroom: 1 }) },
});
await client.text({ input: "hi" }, { promptTokens: 3, label: "chat" });
for (const row of stats.percentiles()) console.log(row.endpoint, row.band, row.ttft.p99Ms ?? row.ttft.note);
for (const advice of stats.suggestLimits({ deadlineMs: 60_000 })) console.log(advice.firstTokenMs, advice.why);
stats.merge(JSON.parse(JSON.stringify(stats.snapshot())));
