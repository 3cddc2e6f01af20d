/** The tests of an app: scripted faults, on time that moves when the test says so. */

import { createClient, toAssistantMessages } from "ttft";
import { completeTurn, createStub, incompleteTurn, type Scripts, scriptedFetch, VirtualClock } from "ttft/testing";
import { expect, test } from "vitest";

const scripts: Scripts = {
  "https://a.test": [{ error: "overloaded_error" }],
  "https://b.test": ["Hello", { waitMs: 300 }, " world"],
};
test("moves to the backup before the first token", async () => {
  const clock = new VirtualClock();
  const fetch = scriptedFetch(scripts, { clock });
  const client = createClient({
    fetch,
    clock,
    random: () => 0.5,
    endpoints: [
      { name: "a", protocol: "openai-chat", url: "https://a.test/v1/chat/completions" },
      { name: "b", protocol: "anthropic-messages", url: "https://b.test/v1/messages", body: (request) => request },
    ],
  });
  const answer = client.text({ messages: [] });
  await clock.runAll();
  expect(await answer).toBe("Hello world");
  expect(fetch.requests.map((r) => r.url)).toHaveLength(2);
});

test("a cut answer is shown as such", async () => {
  const client = createClient({
    endpoints: [{ name: "a", protocol: "openai-chat", url: "https://a.test/" }],
    fetch: scriptedFetch({ "https://a.test": ["The answer is for", { end: "reset" }] }),
  });
  const turn = await client.turn({ messages: [] });
  expect(turn).toMatchObject({ status: "incomplete", reason: "connection_lost", partialText: "The answer is for" });
});

test("component", () => {
  toAssistantMessages(completeTurn({ text: "hi" }));
  toAssistantMessages(incompleteTurn({ reason: "length", partialText: "hi" }));
});

test("over a real socket", async () => {
  const stub = await createStub({ "/v1/chat/completions": [["fails", { end: "cut" }], ["works"]] });
  try {
    createClient({ endpoints: [{ protocol: "openai-chat", url: stub.url("/v1/chat/completions") }] });
  } finally {
    await stub.close();
  }
});
