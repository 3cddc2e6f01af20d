/** Events of the Responses API, as tests write them. */
export const event = (type: string, more: object = {}) => ({ type: `response.${type}`, ...more });
export const created = event("created", {
  response: { id: "r1", model: "gpt-x", status: "in_progress", output: [], error: null },
});
export const added = (output_index: number, item: object) => event("output_item.added", { output_index, item });
export const done = (output_index: number, item: object) => event("output_item.done", { output_index, item });
export const text = (delta: string, output_index = 0, content_index = 0) =>
  event("output_text.delta", { output_index, content_index, delta });
export const usage = {
  input_tokens: 5,
  output_tokens: 2,
  total_tokens: 7,
  input_tokens_details: { cached_tokens: 1 },
  output_tokens_details: { reasoning_tokens: 1 },
};
export const completed = (output: unknown[] = [], more: object = {}) =>
  event("completed", { response: { id: "r1", status: "completed", output, usage, error: null, ...more } });
export const message = (...texts: string[]) => ({
  type: "message",
  id: "m1",
  role: "assistant",
  status: "completed",
  content: texts.map((text) => ({ type: "output_text", text, annotations: [] })),
});
export const call = (more: object = {}) => ({
  type: "function_call",
  id: "f1",
  call_id: "k1",
  name: "one",
  arguments: "",
  ...more,
});
export const argument = (delta: string, output_index = 0) =>
  event("function_call_arguments.delta", { output_index, item_id: "f1", delta });
