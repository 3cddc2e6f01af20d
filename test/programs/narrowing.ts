/** What the types let through, and what they stop. */

import type Anthropic from "@anthropic-ai/sdk";
import type OpenAI from "openai";
import {
  assertComplete,
  type CompleteTurn,
  createClient,
  type Endpoint,
  type IncompleteReason,
  type StopReason,
  type Turn,
  toAssistantMessages,
} from "ttft";
import { expectTypeOf } from "vitest";

export function explain(turn: Turn): string {
  if (turn.status === "complete") return turn.text;
  switch (
    turn.reason // every reason is here, so there is no default
  ) {
    case "length":
      return "cut at the token limit";
    case "content_filter":
      return "filtered";
    case "paused":
      return "the provider paused";
    case "aborted":
      return "stopped";
    case "empty":
      return "nothing came";
    case "closed_before_terminal":
    case "connection_lost":
    case "transport_timeout":
      return "connection lost";
    case "provider_error":
    case "malformed_event":
    case "too_large":
    case "abnormal_stop":
      return turn.error?.message ?? "provider error";
    case "timeout_first_token":
    case "timeout_idle":
    case "timeout_stall":
    case "timeout_total":
    case "timeout_consumer":
      return "too slow";
  }
}
declare const turn: Turn;
expectTypeOf(turn.timing.ttftMs).toEqualTypeOf<number | null>();
// @ts-expect-error it may be half an answer
turn.toolCalls;
// @ts-expect-error it may be whole
turn.partialText;
if (turn.status === "incomplete") {
  expectTypeOf(turn.reason).toEqualTypeOf<IncompleteReason>();
  // @ts-expect-error a fragment is no call
  turn.toolFragments satisfies CompleteTurn["toolCalls"];
}
expectTypeOf<CompleteTurn["stopReason"]>().toEqualTypeOf<StopReason | null>();
turn.toJSON({ content: false }).startedAt.toFixed();
JSON.stringify({ turn });

// Requests in the types of an SDK.
const chat = createClient<OpenAI.ChatCompletionCreateParams>({
  endpoints: [
    { protocol: "openai-chat", url: "https://a/v1/chat/completions", model: "m" },
    {
      protocol: "anthropic-messages",
      url: "https://b/v1/messages",
      body: (request): Anthropic.MessageCreateParams => ({
        model: "c",
        max_tokens: request.max_completion_tokens ?? 4096,
        messages: [],
      }),
    },
  ],
});
const history: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "hi" }];
await chat.stream({ messages: history, temperature: 0.2, reasoning_effort: "low" });
history.push(...toAssistantMessages(turn));
const whole: OpenAI.ChatCompletionCreateParams = { model: "m", messages: history };
await chat.stream(whole);
// @ts-expect-error a name that the SDK does not know
await chat.stream({ messages: history, temprature: 0.2 });
// @ts-expect-error a chat needs messages
await chat.stream({});
const responses = createClient<OpenAI.Responses.ResponseCreateParams>({
  endpoints: [{ protocol: "openai-responses", url: "/r" }],
});
const input: OpenAI.Responses.ResponseInputItem[] = [];
await responses.text({ input, model: "x" });
input.push(...toAssistantMessages(turn));
// Without a type any object will do, interfaces included.
const loose = createClient({ endpoints: [{ protocol: "openai-chat", url: "/c" }] });
await loose.text(whole);
await loose.text({ messages: [], anything: 1 });
// What may be undefined may be passed on.
export const ask = (q: string, signal?: AbortSignal, label?: string) =>
  chat.text({ messages: [{ role: "user", content: q }] }, { signal, label });
export const request = (r: Request) => loose.text({ messages: [] }, { signal: r.signal });
// Endpoints that come from somewhere else.
const list = [{ name: "a", protocol: "openai-chat", url: "u", headers: { "x-org": process.env.ORG } }] as const;
createClient({ endpoints: list });
const rows: Endpoint[] = JSON.parse("[]");
createClient({ endpoints: rows });
const wrong = (request: number) => ({ request });
// @ts-expect-error a function is no object with fields: it has to take the request
createClient<OpenAI.ChatCompletionCreateParams>({ endpoints: [{ protocol: "openai-chat", url: "u", body: wrong }] });
// The type of the request follows that of the endpoint.
const typed: Endpoint<OpenAI.ChatCompletionCreateParams> = {
  protocol: "openai-chat",
  url: "u",
  body: (r) => ({ ...r, model: "x" }),
};
const inferred = createClient({ endpoints: [typed] });
expectTypeOf(inferred.text).parameter(0).toHaveProperty("messages");
// @ts-expect-error no such option
createClient({ endpoints: list, timeout: 5 });
// Defaults in an interface of your own.
interface Defaults {
  model: string;
  temperature: number;
}
declare const defaults: Defaults;
createClient({ endpoints: [{ protocol: "openai-chat", url: "u", body: defaults }] });
// An exception instead of a branch.
export function callsOf(turn: Turn) {
  assertComplete(turn);
  return turn.toolCalls;
}
