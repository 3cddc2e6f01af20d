/** Which protocol a request speaks: by the suffix of its path, else by what it carries. */
import type { ProtocolName } from "../../protocol/protocol.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import { cohereV2 } from "./cohere-v2.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Answer, Provider } from "./provider.ts";

const PROVIDERS: Record<ProtocolName, (answer: Answer) => Provider> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  gemini,
  ollama,
  "cohere-v2": cohereV2,
  "openai-completions": openaiCompletions,
};

/** The longer suffix first: `/chat/completions` ends in `/completions` too. */
const SUFFIXES: readonly (readonly [string, ProtocolName])[] = [
  ["/chat/completions", "openai-chat"],
  ["/completions", "openai-completions"],
  ["/responses", "openai-responses"],
  ["/messages", "anthropic-messages"],
  [":streamGenerateContent", "gemini"],
  ["/api/chat", "ollama"],
  ["/v2/chat", "cohere-v2"],
];

/** What a request says of itself, wherever it came from. */
export interface Asked {
  readonly pathname: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, else text. */
  readonly body: any;
}

export function protocolOfPath(pathname: string): ProtocolName | null {
  const path = pathname.replace(/\/+$/, "");
  return SUFFIXES.find(([suffix]) => path.endsWith(suffix))?.[1] ?? null;
}

/** A path that speaks it. */
export function pathOf(protocol: ProtocolName): string {
  const suffix = SUFFIXES.find(([, name]) => name === protocol)?.[0] ?? "";
  return protocol === "gemini" ? `/v1beta/models/scripted-model${suffix}` : suffix;
}

function protocolOf({ pathname, headers, body }: Asked): ProtocolName {
  const byPath = protocolOfPath(pathname);
  if (byPath !== null) return byPath;
  if ("anthropic-version" in headers) return "anthropic-messages";
  return body?.input === undefined ? "openai-chat" : "openai-responses";
}

/** Gemini names its model in the path, everyone else in the body. */
function modelOf({ pathname, body }: Asked): string {
  const inPath = /\/models\/([^/:]+):/.exec(pathname)?.[1];
  return inPath ?? (typeof body?.model === "string" ? body.model : "scripted-model");
}

export function providerFor(asked: Asked, ordinal: number): { readonly provider: Provider; readonly answer: Answer } {
  const answer: Answer = { ordinal, model: modelOf(asked), outputTokens: 0, reasoningTokens: 0 };
  return { provider: PROVIDERS[protocolOf(asked)](answer), answer };
}
