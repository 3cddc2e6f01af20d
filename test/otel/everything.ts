/** Calls that together emit every metric and every attribute there is. */
import { createClient, type Observer } from "../../src/index.ts";
import { type Scripts, scriptedFetch, VirtualClock } from "../../src/testing.ts";
import { endpoint, MODEL } from "./facades.ts";

const usage = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 60 },
  completion_tokens_details: { reasoning_tokens: 5 },
};
const data = (fields: object) => ({ send: `data: ${JSON.stringify({ id: "c1", model: MODEL, ...fields })}\n\n` });
const delta = (fields: object) => data({ choices: [{ index: 0, delta: fields, finish_reason: null }] });

const whole = [
  { waitMs: 300 },
  delta({ role: "assistant", content: "" }),
  delta({ reasoning_content: "hm" }),
  { waitMs: 200 },
  delta({ content: "one" }),
  { waitMs: 50 },
  delta({ content: "two" }),
  data({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
  data({ choices: [], usage }),
  { send: "data: [DONE]\n\n" },
];

const parameters = {
  temperature: 0.5,
  top_p: 0.9,
  top_k: 5,
  max_tokens: 100,
  frequency_penalty: 0.1,
  presence_penalty: 0.2,
  seed: 7,
  n: 2,
};

export async function emitEverything(observer: Observer): Promise<void> {
  await calls(observer, { "https://a.test": whole });
  await calls(observer, { "https://a.test": [{ error: "overloaded_error" }], "https://b.test": whole }, 4);
  await calls(observer, { "https://a.test": [{ status: 418 }], "https://b.test": [{ status: 418 }] });
  await calls(observer, { "https://a.test": whole }, 1, { tools: [{ type: "function", function: { name: "f" } }] });
}

async function calls(observer: Observer, scripts: Scripts, times = 1, more: object = {}): Promise<void> {
  const clock = new VirtualClock();
  const client = createClient({
    clock,
    random: () => 0.5,
    fetch: scriptedFetch(scripts, { clock }),
    endpoints: [endpoint("openai-chat", "a"), { ...endpoint("openai-chat", "b"), capabilities: { tools: false } }],
    observers: [observer],
    breaker: { consecutiveFailures: 2, minSpanMs: 0 },
    retry: { maxRetries: 0 },
    hedge: false,
  });
  for (let n = 0; n < times; n++) {
    const ended = client.turn({ model: MODEL, ...parameters, ...more }, { label: "chat" }).catch(() => null);
    await clock.runAll();
    await ended;
  }
}
