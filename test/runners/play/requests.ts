/** A small valid request for each protocol: where it is posted and what it says. */
import type { ProtocolName } from "../../../src/index.ts";
import type { CaseClient } from "../format.ts";

interface RequestShape {
  /** Below `<stub>/<endpoint>/v1`. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** One offered tool. */
  readonly tools?: readonly object[];
  /** Does the body itself ask for a stream? */
  readonly streamField: boolean;
}

const model = "stub";
const messages = [{ role: "user", content: "hi" }];
const parameters = { type: "object", properties: {} };
const tool = { name: "look_up", description: "Looks something up", parameters };
const wrapped = [{ type: "function", function: tool }];

const shapes: Readonly<Record<ProtocolName, RequestShape>> = {
  "openai-chat": { path: "/chat/completions", body: { model, messages }, tools: wrapped, streamField: true },
  "openai-responses": {
    path: "/responses",
    body: { model, input: "hi" },
    tools: [{ type: "function", ...tool }],
    streamField: true,
  },
  "anthropic-messages": {
    path: "/messages",
    body: { model, messages, max_tokens: 64 },
    tools: [{ name: tool.name, description: tool.description, input_schema: parameters }],
    streamField: true,
  },
  gemini: {
    path: `/models/${model}:streamGenerateContent?alt=sse`,
    body: { contents: [{ role: "user", parts: [{ text: "hi" }] }] },
    tools: [{ functionDeclarations: [tool] }],
    streamField: false,
  },
  ollama: { path: "/api/chat", body: { model, messages }, tools: wrapped, streamField: true },
  "cohere-v2": { path: "/v2/chat", body: { model, messages }, tools: wrapped, streamField: true },
  "openai-completions": { path: "/completions", body: { model, prompt: "hi" }, streamField: true },
};

export const urlOf = (base: string, endpoint: string, protocol: ProtocolName) =>
  `${base}/${endpoint}/v1${shapes[protocol].path}`;

/** As it is written at `client.stream(body)`. */
export function bodyOf(protocol: ProtocolName, client: CaseClient): Record<string, unknown> {
  const { body, tools } = shapes[protocol];
  return client.request?.tools && tools ? { ...body, tools } : { ...body };
}

/** As an SDK sends it. */
export function sentBodyOf(protocol: ProtocolName, client: CaseClient): Record<string, unknown> {
  const body = bodyOf(protocol, client);
  return shapes[protocol].streamField ? { ...body, stream: true } : body;
}
