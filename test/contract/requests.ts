/** One conversation in the words of three protocols: plain, with a tool on offer, and with a tool's result in it. */
import type { ProtocolName } from "../../src/index.ts";

export type Spoken = Extract<ProtocolName, "openai-chat" | "openai-responses" | "anthropic-messages">;
type Body = Readonly<Record<string, unknown>>;

export interface Conversation {
  /** Where the protocol is posted. */
  readonly path: string;
  readonly plain: Body;
  readonly withTool: Body;
  readonly withToolResult: Body;
}

export const QUESTION = "What is the weather in Paris?";
export const RESULT = "21 degrees, light rain";
const schema = { type: "object", properties: { city: { type: "string" } } };
const args = { city: "Paris" };
const asked = { role: "user", content: QUESTION };

const chatTools = [{ type: "function", function: { name: "weather", parameters: schema } }];
const chatCall = { id: "call_1", type: "function", function: { name: "weather", arguments: JSON.stringify(args) } };
const responsesTools = [{ type: "function", name: "weather", parameters: schema }];
const anthropicTools = [{ name: "weather", input_schema: schema }];

export const CONVERSATIONS: Readonly<Record<Spoken, Conversation>> = {
  "openai-chat": {
    path: "/v1/chat/completions",
    plain: { messages: [asked] },
    withTool: { messages: [asked], tools: chatTools },
    withToolResult: {
      messages: [
        asked,
        { role: "assistant", content: null, tool_calls: [chatCall] },
        { role: "tool", tool_call_id: "call_1", content: RESULT },
      ],
      tools: chatTools,
    },
  },
  "openai-responses": {
    path: "/v1/responses",
    plain: { input: QUESTION },
    withTool: { input: QUESTION, tools: responsesTools },
    withToolResult: {
      input: [
        asked,
        { type: "function_call", call_id: "call_1", name: "weather", arguments: JSON.stringify(args) },
        { type: "function_call_output", call_id: "call_1", output: RESULT },
      ],
      tools: responsesTools,
    },
  },
  "anthropic-messages": {
    path: "/v1/messages",
    plain: { max_tokens: 64, messages: [asked] },
    withTool: { max_tokens: 64, messages: [asked], tools: anthropicTools },
    withToolResult: {
      max_tokens: 64,
      messages: [
        asked,
        { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "weather", input: args }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: RESULT }] },
      ],
      tools: anthropicTools,
    },
  },
};
