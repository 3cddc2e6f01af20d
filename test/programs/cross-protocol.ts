/** One request, three providers, two protocols: converted where it has to be. */
import type OpenAI from "openai";
import { createClient } from "ttft";
import { convertRequest } from "ttft/convert";
import { anthropic, azure, openai } from "ttft/profiles";

export const client = createClient<OpenAI.ChatCompletionCreateParams>({
  endpoints: [
    { ...openai, apiKey: process.env.OPENAI_API_KEY, model: "gpt-5" },
    {
      ...azure({ resource: "acme", deployment: "gpt-5" }),
      apiKey: async ({ signal }) => (await fetch("https://token.internal", { signal })).text(),
    },
    {
      ...anthropic,
      apiKey: process.env.ANTHROPIC_API_KEY,
      model: "claude-sonnet-5",
      body: (request) => convertRequest(request, { from: "openai-chat", to: "anthropic-messages" }),
    },
  ],
});
