/** The protocols that come with the library, by name and by address. */
import { anthropicMessages } from "./anthropic-messages.ts";
import { cohereV2 } from "./cohere-v2.ts";
import { gemini } from "./gemini.ts";
import { ollama } from "./ollama.ts";
import { openaiChat } from "./openai-chat.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import type { Protocol, ProtocolName } from "./protocol.ts";

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  gemini,
  ollama,
  "cohere-v2": cohereV2,
  "openai-completions": openaiCompletions,
};

/** The one whose calls go to paths like this. */
export const protocolAt = (url: URL): Protocol | undefined =>
  Object.values(protocols).find((protocol) => protocol.matches?.(url));
