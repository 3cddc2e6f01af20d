/**
 * The Anthropic SDK over ttft, with its `.stream()` helper.
 * Run: `npm i ttft @anthropic-ai/sdk`, then `ANTHROPIC_API_KEY=… npx tsx main.ts "your question"`; `BACKUP_URL` and
 * `BACKUP_KEY` name another host that speaks the Messages API.
 */
import Anthropic from "@anthropic-ai/sdk";
import { createFetch, findTtftError } from "ttft";

const {
  ANTHROPIC_BASE_URL: baseURL = "https://api.anthropic.com",
  BACKUP_URL: url,
  BACKUP_KEY: apiKey = "",
} = process.env;
const question = process.argv[2] ?? "What is a stream?";

const anthropic = new Anthropic({
  baseURL,
  fetch: createFetch({
    primary: { origin: new URL(baseURL).origin, name: "anthropic" },
    fallbacks: url ? [{ name: "backup", protocol: "anthropic-messages", url, apiKey }] : [],
    limits: { firstTokenMs: 20_000 },
    observers: [
      {
        callEnd: (_, { outcome, endpoint, timing }) =>
          console.log(`\n[${endpoint}: ${outcome}, first token after ${Math.round(timing.ttftMs ?? 0)} ms]`),
      },
    ],
  }),
});

try {
  const stream = anthropic.messages.stream({
    model: "claude-sonnet-5-5",
    max_tokens: 1_024,
    messages: [{ role: "user", content: question }],
  });
  stream.on("text", (piece) => process.stdout.write(piece));
  await stream.finalMessage();
} catch (error) {
  const ours = findTtftError(error);
  if (ours === null) throw error;
  if (ours.name === "IncompleteTurnError") console.error(`[half an answer (${ours.code}): ${ours.message}]`);
  else console.error(`[no answer (${ours.code}): ${ours.message}]`);
  process.exitCode = 1;
}
