/** The Anthropic SDK, alone and over our `fetch`. Plain JavaScript, as all here: it is installed with `test/sdks` only. */
import Anthropic from "@anthropic-ai/sdk";
import { createFetch } from "../../../src/index.ts";
import { perBase } from "../columns/column.ts";

const REQUEST = { model: "m", max_tokens: 1_024, messages: [{ role: "user", content: "hi" }] };

const clients = (fetch) => perBase((base) => new Anthropic({ apiKey: "x", baseURL: base, maxRetries: 0, fetch }));

const alone = clients();
const over = clients(createFetch());

async function raw(client, ask) {
  for await (const event of await client.messages.create({ ...REQUEST, stream: true })) {
    if (event.type === "content_block_delta") ask.delta(event.delta.text ?? event.delta.partial_json);
  }
}

async function helper(client, ask) {
  const stream = client.messages.stream(REQUEST);
  stream.on("text", (text) => ask.delta(text));
  stream.on("inputJson", (json) => ask.delta(json));
  await stream.finalMessage();
}

const dialect = "messages";

export const columns = {
  "anthropic:messages": { dialect, run: (ask) => raw(alone(ask), ask) },
  "anthropic over fetch:messages": { dialect, run: (ask) => raw(over(ask), ask) },
  "anthropic .stream():messages": { dialect, run: (ask) => helper(alone(ask), ask) },
};
