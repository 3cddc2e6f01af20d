/** The names and bounds of the conventions, and which of the two published sets of names is in use. */
import type { Decided } from "./options.ts";

/** Seconds, as the conventions advise for every duration of a client: each bound twice the one before. */
export const SECONDS_BOUNDS: readonly number[] = /* @__PURE__ */ powers(0.01, 2);
/** Tokens: each bound four times the one before. */
export const TOKEN_BOUNDS: readonly number[] = /* @__PURE__ */ powers(1, 4);
/** Seconds to first content: steps of 15 to 50 %, so that a percentile read from them is worth something. */
export const FIRST_CONTENT_BOUNDS: readonly number[] = [
  0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, 10, 12.5, 15, 20, 25, 30, 45,
  60, 90, 120,
];

function powers(first: number, factor: number): number[] {
  return Array.from({ length: 14 }, (_, exponent) => first * factor ** exponent);
}

/** Conventions 1.41, and what replaces it: `operation.duration` became `inference.duration`, and so on. */
export const OLD_NAMES = "gen_ai.client.operation.";
export const NEW_NAMES = "gen_ai.client.inference.";

export function prefixesOf({ semconv }: Decided): readonly string[] {
  if (semconv === "both") return [OLD_NAMES, NEW_NAMES];
  return [semconv === "operation" ? OLD_NAMES : NEW_NAMES];
}

/** The one schema that has been published; with the newer names, or both, there is none to claim. */
export function schemaUrlOf({ semconv }: Decided): string | undefined {
  return semconv === "operation" ? "https://opentelemetry.io/schemas/1.41.0" : undefined;
}

/** Every protocol is `chat` but these. */
export function operationName(protocol: string): string {
  if (protocol === "gemini") return "generate_content";
  return protocol === "openai-completions" ? "text_completion" : "chat";
}
