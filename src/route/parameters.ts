/** The numeric parameters of a request, by one name on every protocol; a closed list, so that no content slips in. */
import type { Fields } from "../attempt/body.ts";

const NAMES: Readonly<Record<string, readonly string[]>> = {
  temperature: ["temperature"],
  top_p: ["top_p", "topP", "p"],
  top_k: ["top_k", "topK", "k"],
  max_tokens: ["max_tokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens", "num_predict"],
  frequency_penalty: ["frequency_penalty", "frequencyPenalty"],
  presence_penalty: ["presence_penalty", "presencePenalty"],
  seed: ["seed"],
  n: ["n", "candidateCount"],
};

export function requestParameters(body: Fields): Readonly<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const place of [body, body.generationConfig, body.options]) {
    if (!place) continue;
    for (const name in NAMES) {
      for (const spelling of NAMES[name] as readonly string[]) {
        const value = place[spelling];
        if (typeof value === "number" && Number.isFinite(value)) found[name] ??= value;
      }
    }
  }
  return found;
}
