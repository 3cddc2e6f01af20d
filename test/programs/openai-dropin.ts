/** The SDKs that an app already has, with another `fetch`. */

import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { ChatOpenAI } from "@langchain/openai";
import OpenAI from "openai";
import { createFetch, type Endpoint, findTtftError, turnOf } from "ttft";
import { otel } from "ttft/otel";

const backup: Endpoint = {
  name: "backup",
  protocol: "openai-chat",
  url: "https://backup.example/v1/chat/completions",
  apiKey: process.env.BACKUP_KEY,
  model: "gpt-5-mini",
};

const fetch = createFetch({
  primary: { origin: "https://api.openai.com" },
  fallbacks: [backup],
  observers: [process.env.OTEL && otel()],
});
const openai = new OpenAI({ fetch });
new Anthropic({ fetch: createFetch() });
createOpenAI({ fetch });
new ChatOpenAI({ configuration: { fetch } });
new OpenAI({
  baseURL: "https://api.perplexity.ai",
  fetch: createFetch({ primary: { name: "perplexity", completion: "lenient", limits: { firstTokenMs: 8_000 } } }),
});

try {
  const { data, response } = await openai.chat.completions
    .create({ model: "gpt-5", messages: [], stream: true })
    .withResponse();
  for await (const chunk of data) process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  const turn = await turnOf(response);
  console.log(turn?.endpoint, turn?.timing.ttftMs);
} catch (error) {
  const ours = findTtftError(error);
  if (ours?.name === "IncompleteTurnError") console.error("half an answer:", ours.turn.partialText);
  else if (ours) console.error(ours.message, ours.attempts.length);
  else throw error;
}
