/** The AI SDK, alone and over our `fetch`. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { streamText } from "ai";
import { createFetch } from "../../../src/index.ts";
import { perBase } from "../columns/column.ts";

const models = (fetch) =>
  perBase((base) => createOpenAICompatible({ name: "x", apiKey: "x", baseURL: `${base}/v1`, fetch })("m"));

const alone = models();
const over = models(createFetch());

async function run(model, ask) {
  let failure;
  const onError = ({ error }) => {
    failure = error;
  };
  for await (const text of streamText({ model, prompt: "hi", maxRetries: 0, onError }).textStream) ask.delta(text);
  if (failure) throw failure;
}

export const columns = {
  "ai:chat": { dialect: "chat", run: (ask) => run(alone(ask), ask) },
  "ai over fetch:chat": { dialect: "chat", run: (ask) => run(over(ask), ask) },
};
