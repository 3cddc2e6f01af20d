/**
 * One question, piece by piece, from whichever provider answers first in order.
 * Run: `npm i ttft`, then `OPENAI_API_KEY=… npx tsx main.ts "your question"`; `BACKUP_URL` and `BACKUP_KEY` are optional.
 */
import { createClient, type Endpoint, isTtftError } from "ttft";

const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL: baseURL = "https://api.openai.com/v1", BACKUP_URL } = process.env;
const question = process.argv[2] ?? "What is a stream?";

const endpoints: Endpoint[] = [
  { name: "openai", protocol: "openai-chat", url: `${baseURL}/chat/completions`, apiKey, model: "gpt-5-mini" },
];
if (BACKUP_URL) {
  endpoints.push({ name: "backup", protocol: "openai-chat", url: BACKUP_URL, apiKey: process.env.BACKUP_KEY });
}
const client = createClient({ endpoints, limits: { firstTokenMs: 20_000 } });

try {
  const stream = await client.stream({ messages: [{ role: "user", content: question }] }, { label: "example" });
  for await (const text of stream.textStream()) process.stdout.write(text);
  const { ttftMs, totalMs } = (await stream.turn()).timing;
  console.log(
    `\n[${stream.endpoint}: first token after ${ttftMs?.toFixed(0)} ms, all after ${totalMs?.toFixed(0)} ms]`,
  );
} catch (error) {
  if (!isTtftError(error)) throw error;
  if (error.name === "IncompleteTurnError") console.error(`\n[half an answer (${error.code}): ${error.message}]`);
  else console.error(`[no answer (${error.code}): ${error.message}]`);
  process.exitCode = 1;
}
