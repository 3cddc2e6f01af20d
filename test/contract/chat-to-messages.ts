/** The example of docs/failover.md: a chat request in the words of Anthropic's Messages. */
import type { AnyBody } from "../../src/index.ts";

// begin of the example
export function toMessages({ messages, tools = [], model, max_tokens, temperature, top_p, stop, ...rest }: AnyBody) {
  const foreign = Object.keys(rest);
  if (foreign.length > 0) throw new TypeError(`the backup has no words for ${foreign.join(", ")}`);
  const system = messages.filter(({ role }: AnyBody) => role === "system" || role === "developer");
  return {
    max_tokens: max_tokens ?? 4_096,
    ...(system.length > 0 && { system: system.map(({ content }: AnyBody) => content).join("\n\n") }),
    messages: messages.filter((message: AnyBody) => !system.includes(message)).map(toMessage),
    ...(tools.length > 0 && { tools: tools.map(toTool) }),
    temperature,
    top_p,
    stop_sequences: stop === undefined ? undefined : [stop].flat(),
  };
}

function toMessage({ role, content, tool_calls = [], tool_call_id }: AnyBody) {
  if (role === "tool") return { role: "user", content: [{ type: "tool_result", tool_use_id: tool_call_id, content }] };
  const text = content ? [{ type: "text", text: content }] : [];
  return { role, content: [...text, ...tool_calls.map(toToolUse)] };
}

function toToolUse({ id, function: { name, arguments: text } }: AnyBody) {
  return { type: "tool_use", id, name, input: JSON.parse(text || "{}") };
}

function toTool({ function: { name, description, parameters } }: AnyBody) {
  return { name, description, input_schema: parameters };
}
// end of the example
