/** LangChain's chat models: `.stream()`, chunks put together as its documentation does. */
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { CHAT, MESSAGES, prompt, tool, type Way, type World } from "../user.ts";

const retries = ({ ours }: World) => (ours ? { maxRetries: 0 } : {});
const openai = (world: World) =>
  new ChatOpenAI({
    model: "m",
    apiKey: "key-of-the-user",
    streamUsage: false,
    ...retries(world),
    configuration: { baseURL: `${world.baseURL}/v1`, fetch: world.fetch },
  });
const anthropic = (world: World) =>
  new ChatAnthropic({
    model: "m",
    apiKey: "key-of-the-user",
    maxTokens: 64,
    ...retries(world),
    anthropicApiUrl: world.baseURL,
    clientOptions: { fetch: world.fetch },
  });

const stream = (create: (world: World) => any) => async (world: World) => {
  const model = create(world);
  const bound = world.wantsTool ? model.bindTools([tool]) : model;
  let whole: any;
  for await (const chunk of await bound.stream(prompt, { signal: world.signal })) {
    whole = whole ? whole.concat(chunk) : chunk;
    if (chunk.text && world.text(chunk.text)) return;
  }
  for (const call of whole?.tool_calls ?? []) world.runTool(call.args);
};

export const ways: readonly Way[] = [
  { name: "@langchain/openai", path: CHAT, run: stream(openai) },
  { name: "@langchain/anthropic", path: MESSAGES, run: stream(anthropic) },
];
