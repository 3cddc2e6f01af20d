/** The AI SDK: `streamText` over three of its providers, read as parts and as text. */
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { jsonSchema, streamText, tool as toolOf } from "ai";
import { CHAT, MESSAGES, prompt, RESPONSES, tool, type Way, type World } from "../user.ts";

type Model = (settings: { baseURL: string; fetch: typeof fetch; apiKey: string }) => any;

function start(world: World, model: Model, onError: (error: unknown) => void) {
  const { baseURL, fetch, signal, ours, wantsTool } = world;
  const weather = toolOf({
    description: tool.description,
    inputSchema: jsonSchema<any>(tool.schema as any),
    execute: async (input: unknown) => world.runTool(input),
  });
  return streamText({
    model: model({ baseURL: `${baseURL}/v1`, fetch, apiKey: "key-of-the-user" }),
    prompt,
    maxOutputTokens: 64,
    abortSignal: signal,
    // Where the SDK does not heed `x-should-retry`, its retries would stand on top of ours.
    ...(ours && { maxRetries: 0 }),
    ...(wantsTool && { tools: { weather } }),
    onError: ({ error }) => onError(error),
  });
}

const parts = (model: Model) => async (world: World) => {
  for await (const part of start(world, model, () => {}).fullStream) {
    if (part.type === "text-delta" && world.text(part.text)) break;
    if (part.type === "error") throw part.error;
  }
};

/** `textStream` only ends: what went wrong is told to `onError`. */
const text = (model: Model) => async (world: World) => {
  const errors: unknown[] = [];
  const result = start(world, model, (error) => errors.push(error));
  for await (const piece of result.textStream) if (world.text(piece)) return;
  if (errors.length) throw errors[0];
  await result.text;
};

const openaiChat: Model = (settings) => createOpenAI(settings).chat("m");
const openaiResponses: Model = (settings) => createOpenAI(settings).responses("m");
const anthropic: Model = (settings) => createAnthropic(settings)("m");
const compatible: Model = (settings) => createOpenAICompatible({ ...settings, name: "compatible" })("m");

export const ways: readonly Way[] = [
  { name: "ai + @ai-sdk/openai chat", path: CHAT, run: parts(openaiChat) },
  { name: "ai + @ai-sdk/openai chat, textStream", path: CHAT, run: text(openaiChat) },
  { name: "ai + @ai-sdk/openai responses", path: RESPONSES, run: parts(openaiResponses) },
  { name: "ai + @ai-sdk/anthropic", path: MESSAGES, run: parts(anthropic) },
  { name: "ai + @ai-sdk/openai-compatible", path: CHAT, run: parts(compatible) },
];
