/** A script with two endpoints: if the first one fails before it has said anything, the second one answers. */
import { CallError, createClient, IncompleteTurnError, isTtftError } from "ttft";

const client = createClient({
  endpoints: [
    {
      protocol: "openai-chat",
      url: "https://api.openai.com/v1/chat/completions",
      apiKey: process.env.OPENAI_API_KEY,
      model: "gpt-5-mini",
    },
    {
      protocol: "openai-chat",
      url: "https://api.groq.com/openai/v1/chat/completions",
      apiKey: process.env.GROQ_API_KEY,
      model: "llama-4",
    },
  ],
});

// The least that is safe: the whole answer, or an exception.
console.log(await client.text({ messages: [{ role: "user", content: "Hello" }] }));

// Piece by piece.
const stream = await client.stream({ messages: [{ role: "user", content: "Hello" }] });
for await (const text of stream.textStream()) process.stdout.write(text);
const turn = await stream.turn();
console.log(`\n${turn.endpoint} ${turn.timing.ttftMs} ms, ${turn.attempts.length} attempts`);

// One switch serves both kinds of error.
try {
  await client.text({ messages: [] }, { limits: { totalMs: 20_000 }, label: "cron" });
} catch (error) {
  if (!isTtftError(error)) throw error;
  switch (error.code) {
    case "aborted":
      break;
    case "request_rejected":
      console.error("fix the request or the key", error.status);
      break;
    case "provider_rate_limited":
      console.error("wait", error.retryAfterMs);
      break;
    case "length":
      console.error("cut at the token limit", error.turn.partialText.length);
      break;
    default:
      console.error(error.message);
  }
  if (error instanceof CallError) error.attempts.map((a) => [a.endpoint, a.outcome, a.startMs]);
  if (error instanceof IncompleteTurnError) error.turn.reason satisfies string;
}
