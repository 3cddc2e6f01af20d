/** The OpenAI SDK, alone and over our `fetch`. */
import OpenAI from "openai";
import { createFetch } from "../../../src/index.ts";
import { type Ask, type Column, perBase } from "./column.ts";

const MESSAGES = [{ role: "user" as const, content: "hi" }];

const clients = (fetch?: typeof globalThis.fetch) =>
  perBase((base) => new OpenAI({ apiKey: "x", baseURL: `${base}/v1`, maxRetries: 0, ...(fetch && { fetch }) }));

const alone = clients();
const over = clients(createFetch());

async function chat(client: OpenAI, ask: Ask): Promise<void> {
  const stream = await client.chat.completions.create({ model: "m", stream: true, messages: MESSAGES });
  for await (const { choices } of stream) {
    const delta = choices[0]?.delta;
    const piece = delta?.content || delta?.tool_calls?.[0]?.function?.arguments;
    if (piece) ask.delta(piece);
  }
}

async function responses(client: OpenAI, ask: Ask): Promise<void> {
  for await (const event of await client.responses.create({ model: "m", stream: true, input: "hi" })) {
    if (event.type === "response.output_text.delta") ask.delta(event.delta);
  }
}

export const columns: Readonly<Record<string, Column>> = {
  "openai:chat": { dialect: "chat", run: (ask) => chat(alone(ask), ask) },
  "openai over fetch:chat": { dialect: "chat", run: (ask) => chat(over(ask), ask) },
  "openai:responses": { dialect: "responses", run: (ask) => responses(alone(ask), ask) },
  "openai over fetch:responses": { dialect: "responses", run: (ask) => responses(over(ask), ask) },
};
