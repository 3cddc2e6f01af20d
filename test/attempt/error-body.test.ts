import { expect, test } from "vitest";
import { CallError, createClient } from "../../src/index.ts";
import { scriptedFetch, VirtualClock } from "../../src/testing.ts";

test("an error status stands, though its body comes later than the first-token limit", async () => {
  const clock = new VirtualClock();
  const fetch = scriptedFetch({ "https://a.test": [{ status: 503 }, { waitMs: 200 }, { end: "hold" }] }, { clock });
  const client = createClient({
    fetch,
    clock,
    retry: { maxRetries: 0 },
    limits: { firstTokenMs: 50 },
    endpoints: [{ name: "a", protocol: "openai-chat", url: "https://a.test/v1/chat/completions" }],
  });
  const failed = client.text({ messages: [] }).catch((error: unknown) => error);
  await clock.runAll();
  const error = await failed;
  expect(error).toBeInstanceOf(CallError);
  expect(error).toMatchObject({ code: "provider_unavailable", status: 503, failure: { reason: "http_error" } });
  expect(clock.pending).toBe(0);
});
