/** An agent: tools with typed input, a history that keeps the thinking blocks, effects that happen once. */
import type Anthropic from "@anthropic-ai/sdk";
import { createClient, executableToolCalls, toAssistantMessages } from "ttft";
import { createOperationLog, defineTools, memoryStore, runTools } from "ttft/operations";
import * as z from "zod";

const client = createClient<Anthropic.MessageCreateParams>({
  endpoints: [
    {
      protocol: "anthropic-messages",
      url: "https://api.anthropic.com/v1/messages",
      apiKey: process.env.ANTHROPIC_API_KEY,
      model: "claude-sonnet-5",
    },
  ],
});

const tools = defineTools({
  weather: { schema: z.object({ city: z.string() }), execute: async ({ city }) => `Sunny in ${city.toUpperCase()}` },
  ticket: {
    schema: z.object({ title: z.string(), priority: z.number() }),
    execute: async (input, { idempotencyKey }) => ({ ...input, title: input.title.trim(), idempotencyKey }),
  },
});
const log = createOperationLog({ store: memoryStore() });

export async function run(runId: string, prompt: string, signal?: AbortSignal) {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: prompt }];
  for (let step = 0; step < 10; step++) {
    const turn = await client.turn(
      { max_tokens: 4096, messages, tools: [{ name: "weather", input_schema: { type: "object" } }] },
      { signal },
    );
    if (turn.status === "incomplete") {
      if (turn.reason === "paused") {
        messages.push(...toAssistantMessages(turn));
        continue;
      }
      throw new Error(`model call ${turn.reason}: ${turn.partialText.length} characters arrived`);
    }
    messages.push(...toAssistantMessages(turn));
    if (turn.toolCalls.length === 0) return turn.text;
    messages.push(...(await runTools(turn, tools, { log, runId, step, signal })));
  }
  throw new Error("too many steps");
}

// Without the loop: each call typed by the schema of its name.
const turn = await client.turn({ max_tokens: 1, messages: [] });
if (turn.status === "complete") {
  for (const call of executableToolCalls(turn, {
    schemas: { weather: z.object({ city: z.string() }), add: z.object({ a: z.number() }) },
  })) {
    if (call.name === "weather") call.input.city.toUpperCase();
    else call.input.a.toFixed();
  }
  for (const call of executableToolCalls(turn)) call.input satisfies unknown;
}
// @ts-expect-error what may be half an answer has nothing to execute
executableToolCalls(turn);
// @ts-expect-error nor has it a text
turn.text;
