/** An answer and the results of its tools as the next request's history, in the protocol the request was written in. */
import type { ProtocolName } from "../protocol/protocol.ts";
import { anthropic } from "./dialects/anthropic.ts";
import { chat } from "./dialects/chat.ts";
import { cohere } from "./dialects/cohere.ts";
import { type Dialect, isOwn, type ToolResult } from "./dialects/dialect.ts";
import { gemini } from "./dialects/gemini.ts";
import { ollama } from "./dialects/ollama.ts";
import { responses } from "./dialects/responses.ts";
import type { CompleteTurn, ToolCall, Turn } from "./turn.ts";

export type { ToolResult };

/** Legacy completions have no messages, and of a protocol of your own nothing is known: both get those of chat. */
const dialects: ReadonlyMap<string, Dialect> = new Map<ProtocolName, Dialect>([
  ["openai-chat", chat],
  ["openai-responses", responses],
  ["anthropic-messages", anthropic],
  ["gemini", gemini],
  ["ollama", ollama],
  ["cohere-v2", cohere],
]);

const MARKER = "\n\n[The answer was cut off here.]";

/**
 * The answer as history: spread it into `messages` (chat, Anthropic) or `input` (Responses). Always an array, because
 * one answer is several items there, and one that says nothing is none. Keeps signatures and encrypted reasoning. In the
 * protocol you wrote the request in, whichever endpoint answered. An incomplete turn carries a visible cut-off marker
 * (`marker`, added to its text) and no tool call; one that the provider `paused` comes as it is, because sending it back
 * is what continues it.
 */
export function toAssistantMessages<Message = any>(
  turn: Turn,
  options?: { readonly marker?: string | undefined },
): Message[] {
  const dialect = dialects.get(turn.requestProtocol);
  const isTrusted = turn.status === "complete" || turn.reason === "paused";
  if (dialect && isTrusted && isOwn(turn)) return dialect.fromOutput(turn.output) as Message[];
  const text = isTrusted ? saidIn(turn) : marked(saidIn(turn), options?.marker ?? MARKER);
  const calls = clientCallsOf(turn);
  if (text === "" && calls.length === 0) return [];
  return (dialect ?? chat).fromWords(text, calls) as Message[];
}

/** Results to send back, in the same protocol. Each `id` is that of a call of the turn. */
export function toToolMessages<Message = any>(turn: CompleteTurn, results: readonly ToolResult[]): Message[] {
  return (dialects.get(turn.requestProtocol) ?? chat).fromResults(results, turn) as Message[];
}

/** Providers refuse text that is nothing but white space. */
function saidIn(turn: Turn): string {
  const text = turn.status === "complete" ? turn.text || turn.refusal : turn.partialText || turn.partialRefusal;
  return /\S/.test(text) ? text : "";
}

/** What the provider ran itself has its results in the blocks, which are not sent. */
const clientCallsOf = (turn: Turn): ToolCall[] =>
  turn.status === "complete" ? turn.toolCalls.filter((call) => !call.providerExecuted) : [];

/** The marker stands alone where nothing was said: a message has to have something in it. */
const marked = (text: string, marker: string): string => (text === "" ? marker.trimStart() : text + marker);
