import { expect, test } from "vitest";
import { createClient, type StreamEvent } from "../../src/index.ts";
import { scriptedFetch } from "../../src/testing.ts";

/** All events of one answer, by their protocol. */
async function eventsOf(protocol: "gemini" | "anthropic-messages", url: string): Promise<StreamEvent[]> {
  const client = createClient({ endpoints: [{ protocol, url, model: "m" }], fetch: scriptedFetch({ "/": ["Hello"] }) });
  const events: StreamEvent[] = [];
  for await (const event of await client.stream({})) events.push(event);
  return events;
}

test.each([
  ["gemini", "https://g.example/v1beta/models/{model}:streamGenerateContent?alt=sse"],
  ["anthropic-messages", "https://a.example/v1/messages"],
] as const)("%s: every event shows the frame that it came from, those of the clean end too", async (protocol, url) => {
  const events = await eventsOf(protocol, url);
  expect(events.some(({ type }) => type === "stop")).toBe(true);
  for (const event of events) expect([event.type, typeof event.raw]).toEqual([event.type, "object"]);
  for (const event of events) expect(event.raw).not.toBeNull();
});

test("the last event is named as the provider names it, by its field or by its JSON", async () => {
  const turnOf = async (protocol: "anthropic-messages" | "openai-chat", url: string) => {
    const client = createClient({ endpoints: [{ protocol, url }], fetch: scriptedFetch({ "/": ["Hello"] }) });
    return client.turn({});
  };
  expect((await turnOf("anthropic-messages", "https://a.example/v1/messages")).lastEvent).toBe("message_stop");
  expect((await turnOf("openai-chat", "https://a.example/v1/chat/completions")).lastEvent).toBe("[DONE]");
});

test("what a caller writes into one turn's annotations is in no other", async () => {
  const endpoint = { protocol: "openai-chat", url: "https://a.example/v1/chat/completions" } as const;
  const client = createClient({ endpoints: [endpoint], fetch: scriptedFetch({ "/": ["Hello"] }) });
  const first = await client.turn({});
  try {
    (first.annotations as Record<string, string>).user = "x";
  } catch {
    // Frozen is as good.
  }
  expect((await client.turn({})).annotations).toEqual({});
});
