/**
 * The OpenAI SDK over ttft: limits on every wait, a backup before the first token, an error where an answer is cut.
 * Run: `npm i ttft openai`, then `OPENAI_API_KEY=… npx tsx main.ts "your question"`; `BACKUP_URL` and `BACKUP_KEY` are optional.
 */
import OpenAI from "openai";
import { createFetch, findTtftError, turnOf } from "ttft";

const {
  OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1",
  BACKUP_URL: url,
  BACKUP_KEY: apiKey = "",
} = process.env;
const question = process.argv[2] ?? "What is a stream?";

const openai = new OpenAI({
  baseURL,
  fetch: createFetch({
    primary: { origin: new URL(baseURL).origin, name: "openai" },
    fallbacks: url ? [{ name: "backup", protocol: "openai-chat", url, apiKey, model: "gpt-5-mini" }] : [],
    limits: { firstTokenMs: 20_000 },
  }),
});

try {
  const { data, response } = await openai.chat.completions
    .create({ model: "gpt-5", messages: [{ role: "user", content: question }], stream: true })
    .withResponse();
  for await (const chunk of data) process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  const turn = await turnOf(response);
  console.log(`\n[${turn?.endpoint} answered, first token after ${Math.round(turn?.timing.ttftMs ?? 0)} ms]`);
} catch (error) {
  const ours = findTtftError(error);
  if (ours === null) throw error;
  if (ours.name === "IncompleteTurnError") console.error(`\n[half an answer (${ours.code}): ${ours.message}]`);
  else console.error(`[no answer (${ours.code}): ${ours.message}]`);
  process.exitCode = 1;
}
