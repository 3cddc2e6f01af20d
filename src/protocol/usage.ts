/** Token counts as providers report them, brought to one shape: parts inside their wholes, unknown is `null`. */
import type { Usage } from "./protocol.ts";

export const count = (value: unknown): number | null =>
  typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY ? value : null;

/** Of chat and legacy completions (`prompt_tokens`) and of Responses (`input_tokens`). `null` if nothing is reported. */
export function openaiUsage(reported: any): Usage | null {
  if (!reported) return null;
  const inputTokens = count(reported.prompt_tokens ?? reported.input_tokens);
  const outputTokens = count(reported.completion_tokens ?? reported.output_tokens);
  if (inputTokens === null && outputTokens === null) return null;
  const cached = (reported.prompt_tokens_details ?? reported.input_tokens_details)?.cached_tokens;
  const reasoningTokens = count(
    (reported.completion_tokens_details ?? reported.output_tokens_details)?.reasoning_tokens,
  );
  // xAI counts reasoning beside the completion, which shows in the total.
  const beside = (inputTokens ?? 0) + (outputTokens ?? 0) < reported.total_tokens ? (reasoningTokens ?? 0) : 0;
  return {
    inputTokens,
    outputTokens: outputTokens === null ? null : outputTokens + beside,
    cachedInputTokens: count(cached ?? reported.prompt_cache_hit_tokens),
    reasoningTokens,
  };
}
