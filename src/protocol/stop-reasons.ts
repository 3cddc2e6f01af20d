/** What the stop reasons of all providers mean: one table per provider, side by side. What is in none is abnormal. */
import type { ProtocolEvent, StopReason } from "./protocol.ts";

export type StopTable = ReadonlyMap<unknown, StopReason>;
export type StopEvent = Extract<ProtocolEvent, { type: "stop" }>;

/** Written ours → theirs, read theirs → ours. A `Map`, for what is looked up comes from a server. */
const table = (rows: { readonly [Ours in StopReason]?: string }): StopTable =>
  new Map(
    Object.entries(rows).flatMap(([ours, theirs]) =>
      theirs.split(" ").map((raw) => [raw, ours as StopReason] as const),
    ),
  );

/** `eos` is Together's. Legacy completions use the same words. */
export const chatStops: StopTable = /* @__PURE__ */ table({
  stop: "stop eos",
  tool_calls: "tool_calls function_call",
  length: "length",
  content_filter: "content_filter",
});

/** Of `incomplete_details.reason`; a completed response has none. */
export const responsesStops: StopTable = /* @__PURE__ */ table({
  length: "max_output_tokens",
  content_filter: "content_filter",
});

export const anthropicStops: StopTable = /* @__PURE__ */ table({
  stop: "end_turn",
  stop_sequence: "stop_sequence",
  tool_calls: "tool_use",
  refusal: "refusal",
  length: "max_tokens model_context_window_exceeded",
  paused: "pause_turn compaction",
});

/** `STOP` with a call is `tool_calls`; a blocked prompt is a `refusal`. */
export const geminiStops: StopTable = /* @__PURE__ */ table({
  stop: "STOP",
  length: "MAX_TOKENS",
  content_filter: "SAFETY RECITATION BLOCKLIST PROHIBITED_CONTENT SPII",
});

/** `stop` with a call is `tool_calls`. */
export const ollamaStops: StopTable = /* @__PURE__ */ table({ stop: "stop", length: "length" });

export const cohereStops: StopTable = /* @__PURE__ */ table({
  stop: "COMPLETE",
  stop_sequence: "STOP_SEQUENCE",
  tool_calls: "TOOL_CALL",
  length: "MAX_TOKENS",
});

/** The provider's word as it stands, and what it means: `null` if this provider has no such word. */
export const stopEvent = (raw: string, stops: StopTable): StopEvent => ({
  type: "stop",
  stopReason: stops.get(raw) ?? null,
  rawStopReason: raw,
});

const ALL = [chatStops, responsesStops, anthropicStops, geminiStops, ollamaStops, cohereStops];

/**
 * What a router says of the provider behind it (`native_finish_reason`), if any provider's table calls that cut short.
 * OpenRouter reports `tool_calls` for arguments that its provider cut at the token limit.
 */
export function cutShort(native: unknown): StopReason | null {
  for (const stops of ALL) {
    const ours = stops.get(native);
    if (ours === "length" || ours === "content_filter") return ours;
  }
  return null;
}
