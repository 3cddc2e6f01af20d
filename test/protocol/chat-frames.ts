/** Chunks of chat completions, as tests write them. */
export const choice = (delta: unknown, more: object = {}) => ({
  choices: [{ index: 0, delta, finish_reason: null, ...more }],
});
export const say = (content: unknown) => choice({ content });
export const finish = (finish_reason: string, more: object = {}) => choice({}, { finish_reason, ...more });
export const tool = (...tool_calls: object[]) => choice({ tool_calls });
export const named = (name: string, json = "") => ({ function: { name, arguments: json } });
export const args = (json: string) => ({ function: { arguments: json } });
export const usage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };
export const counts = { inputTokens: 9, outputTokens: 4, cachedInputTokens: null, reasoningTokens: null };
