/**
 * LangChain over ttft. `maxRetries: 0`, since its retries would stand on top of those of `createFetch`.
 * Run: `npm i ttft @langchain/openai @langchain/core`, then `OPENAI_API_KEY=… npx tsx main.ts "your question"`;
 * `BACKUP_URL` and `BACKUP_KEY` are optional.
 */
import { ChatOpenAI } from "@langchain/openai";
import { createFetch, findTtftError } from "ttft";

const {
  OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1",
  BACKUP_URL: url,
  BACKUP_KEY: apiKey = "",
} = process.env;
const question = process.argv[2] ?? "What is a stream?";

const fetch = createFetch({
  primary: { origin: new URL(baseURL).origin, name: "openai" },
  fallbacks: url ? [{ name: "backup", protocol: "openai-chat", url, apiKey, model: "gpt-5-mini" }] : [],
  limits: { firstTokenMs: 20_000 },
  observers: [
    {
      callEnd: (_, { outcome, endpoint, timing }) =>
        console.log(`\n[${endpoint}: ${outcome}, first token after ${Math.round(timing.ttftMs ?? 0)} ms]`),
    },
  ],
});
const model = new ChatOpenAI({ model: "gpt-4.1", maxRetries: 0, configuration: { baseURL, fetch } });

try {
  for await (const chunk of await model.stream(question)) process.stdout.write(chunk.text);
} catch (error) {
  const ours = findTtftError(error);
  if (ours === null) throw error;
  if (ours.name === "IncompleteTurnError") console.error(`[half an answer (${ours.code}): ${ours.message}]`);
  else console.error(`[no answer (${ours.code}): ${ours.message}]`);
  process.exitCode = 1;
}
