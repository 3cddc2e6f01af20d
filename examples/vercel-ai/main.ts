/**
 * The AI SDK over ttft. `maxRetries: 0`, since its retries would stand on top of those of `createFetch`.
 * Run: `npm i ttft ai @ai-sdk/openai`, then `OPENAI_API_KEY=… npx tsx main.ts "your question"`; `BACKUP_URL` and
 * `BACKUP_KEY` are optional.
 */
import { createOpenAI } from "@ai-sdk/openai";
import { streamText } from "ai";
import { createFetch, findTtftError } from "ttft";

const {
  OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1",
  BACKUP_URL: url,
  BACKUP_KEY: apiKey = "",
} = process.env;
const prompt = process.argv[2] ?? "What is a stream?";

const fetch = createFetch({
  primary: { origin: new URL(baseURL).origin, name: "openai" },
  fallbacks: url ? [{ name: "backup", protocol: "openai-responses", url, apiKey, model: "gpt-5-mini" }] : [],
  limits: { firstTokenMs: 20_000 },
});

const result = streamText({
  model: createOpenAI({ baseURL, fetch })("gpt-5"),
  prompt,
  maxRetries: 0,
  // What failed stands in the stream itself; without this it is printed, too.
  onError: () => {},
});

try {
  for await (const part of result.fullStream) {
    if (part.type === "text-delta") process.stdout.write(part.text);
    if (part.type === "error") throw part.error;
  }
  const { headers } = await result.response;
  console.log(`\n[answered, call ${headers?.["x-ttft-call"]}]`);
} catch (error) {
  const ours = findTtftError(error);
  if (ours === null) throw error;
  if (ours.name === "IncompleteTurnError") console.error(`\n[half an answer (${ours.code}): ${ours.message}]`);
  else console.error(`[no answer (${ours.code}): ${ours.message}]`);
  process.exitCode = 1;
}
