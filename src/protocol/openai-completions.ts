/** OpenAI's legacy Completions API: the same chunks as chat, with text instead of messages. */
import { createChatDecoder } from "./openai-chat.ts";
import { openaiErrorBody } from "./openai-error-body.ts";
import type { Protocol } from "./protocol.ts";

export const openaiCompletions: Protocol = {
  name: "openai-completions",
  framing: "sse",
  matches: ({ pathname }) => /\/completions\/?$/.test(pathname) && !/\/chat\/completions/.test(pathname),
  createDecoder: createChatDecoder,
  errorBody: openaiErrorBody,
};
