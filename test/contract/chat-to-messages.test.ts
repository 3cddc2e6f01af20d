/** The documented way to an endpoint of another protocol, as it is documented, over real sockets. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createClient } from "../../src/index.ts";
import type { Script } from "../../src/testing/script.ts";
import { toMessages } from "./chat-to-messages.ts";
import { KEY, stubOf } from "./play.ts";
import { CONVERSATIONS, QUESTION, RESULT } from "./requests.ts";

async function stage(chat: Script, messages: Script) {
  const stub = await stubOf({ "/v1/chat/completions": chat, "/v1/messages": messages });
  const client = createClient({
    endpoints: [
      {
        name: "chat",
        protocol: "openai-chat",
        url: stub.url("/v1/chat/completions"),
        apiKey: `${KEY}-1`,
        model: "one",
      },
      {
        name: "messages",
        protocol: "anthropic-messages",
        url: stub.url("/v1/messages"),
        apiKey: `${KEY}-2`,
        model: "two",
        body: toMessages,
      },
    ],
  });
  return { client, sent: () => stub.requests.find(({ url }) => url.endsWith("/v1/messages")) };
}

test("a conversation with a tool's result is carried to the other protocol, and its answer comes back as any other", async () => {
  const { client, sent } = await stage([{ status: 503 }], ["It ", "rains"]);
  const { withToolResult } = CONVERSATIONS["openai-chat"];
  const system = { role: "system", content: "Be brief" };
  const messages = [system, ...(withToolResult.messages as object[])];
  const turn = await client.turn({ ...withToolResult, messages, temperature: 0, stop: "END" });
  expect(turn).toMatchObject({ status: "complete", text: "It rains", endpoint: "messages", stopReason: "stop" });
  expect(turn.attempts).toMatchObject([{ endpoint: "chat", status: 503 }, { endpoint: "messages" }]);

  const request = sent();
  expect(request?.headers).toMatchObject({ "x-api-key": `${KEY}-2`, "anthropic-version": "2023-06-01" });
  expect(request?.headers.authorization).toBeUndefined();
  const expected = CONVERSATIONS["anthropic-messages"].withToolResult;
  const [, ...answered] = expected.messages as object[];
  expect(request?.body).toEqual({
    model: "two",
    stream: true,
    max_tokens: 4_096,
    system: "Be brief",
    messages: [{ role: "user", content: [{ type: "text", text: QUESTION }] }, ...answered],
    tools: expected.tools,
    temperature: 0,
    stop_sequences: ["END"],
  });
  expect(JSON.stringify(request?.body)).toContain(RESULT);
});

test("a tool call of the other protocol is a tool call", async () => {
  const call = { id: "call_9", name: "weather", arguments: { city: "Paris" } };
  const { client } = await stage([{ end: "cut" }], [{ toolCall: call }]);
  const turn = await client.turn(CONVERSATIONS["openai-chat"].withTool);
  expect(turn).toMatchObject({
    status: "complete",
    stopReason: "tool_calls",
    toolCalls: [{ id: "call_9", name: "weather", arguments: '{"city":"Paris"}' }],
  });
});

test("what it has no words for ends the call loudly: nothing is dropped", async () => {
  const { client, sent } = await stage([{ status: 503 }], ["never"]);
  const fails = client.turn({ ...CONVERSATIONS["openai-chat"].plain, logit_bias: { 50256: -100 } });
  await expect(fails).rejects.toMatchObject({
    code: "configuration",
    message: "endpoint `messages`: its `body` function failed",
    cause: { message: "the backup has no words for logit_bias" },
  });
  expect(sent()).toBeUndefined();
});

test("the documentation shows the code that is tested here", async () => {
  const read = (path: string) => readFile(new URL(path, import.meta.url), "utf8");
  const [, example] = (await read("./chat-to-messages.ts")).split(/\/\/ (?:begin|end) of the example\n/);
  expect(await read("../../docs/failover.md")).toContain(String(example).replace("export ", "").trim());
});
