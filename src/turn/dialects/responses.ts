/** Responses: items, of which one answer has several; each kind of call has its own kind of result. */
import { type Dialect, jsonValueOf, type ToolResult, textOf } from "./dialect.ts";

type Reply = (result: ToolResult) => object;

const functionReply: Reply = ({ id, output }) => ({
  type: "function_call_output",
  call_id: id,
  output: textOf(output),
});

/** By the type of the call; a function's where nothing is known of it. */
const replies: ReadonlyMap<unknown, Reply> = new Map<unknown, Reply>([
  ["custom_tool_call", ({ id, output }) => ({ type: "custom_tool_call_output", call_id: id, output: textOf(output) })],
  ["local_shell_call", ({ id, output }) => ({ type: "local_shell_call_output", id, output: textOf(output) })],
  ["shell_call", ({ id, output }) => ({ type: "shell_call_output", call_id: id, output })],
  ["computer_call", ({ id, output }) => ({ type: "computer_call_output", call_id: id, output })],
  [
    "tool_search_call",
    ({ id, output }) => ({ type: "tool_search_output", call_id: id, execution: "client", tools: output }),
  ],
  [
    "apply_patch_call",
    ({ id, output, isError }) => ({
      type: "apply_patch_call_output",
      call_id: id,
      status: isError ? "failed" : "completed",
      output: textOf(output),
    }),
  ],
  [
    "mcp_approval_request",
    ({ id, output }) => ({
      type: "mcp_approval_response",
      approval_request_id: id,
      approve: jsonValueOf(output) === true,
    }),
  ],
]);

export const responses: Dialect = {
  fromOutput: (output) => [...output],
  fromWords: (text, calls) => [
    ...(text ? [{ role: "assistant", content: text }] : []),
    ...calls.map(({ id, name, arguments: json }) => {
      return { type: "function_call", call_id: id, name, arguments: json || "{}" };
    }),
  ],
  fromResults: (results, { output }) =>
    results.map((result) => {
      const item: any = output.find((item: any) => (item.call_id ?? item.id) === result.id);
      return (replies.get(item?.type) ?? functionReply)(result);
    }),
};
