import { expect, test } from "vitest";
import { type CallRecord, createClient } from "../../src/index.ts";

test("a call for which no endpoint could be tried has an end, too", async () => {
  const records: CallRecord[] = [];
  const client = createClient({
    endpoints: [{ protocol: "openai-chat", url: "https://a.test/v1/chat/completions", capabilities: { tools: false } }],
    observers: [{ callEnd: (_, record) => void records.push(record) }],
  });
  const body = { model: "m", tools: [{ type: "function", function: { name: "f" } }] };
  await expect(client.text(body)).rejects.toMatchObject({ code: "no_endpoint_available" });
  expect(records[0]?.timing.totalMs).toBeGreaterThanOrEqual(0);
});
