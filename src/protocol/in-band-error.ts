/** Failures that a provider reports inside a successful response, recognised by their structure and never by their words. */
import type { Frame } from "../wire/frame.ts";
import type { ProtocolEvent } from "./protocol.ts";

export type ErrorEvent = Extract<ProtocolEvent, { type: "error" }>;

const text = (value: unknown): string | null =>
  typeof value === "string" || typeof value === "number" ? String(value) : null;

/** One provider's error value (an object, or just its sentence) as our event. `status` is how Google names the type. */
export function describeError(error: any): ErrorEvent {
  const type = text(error?.type ?? error?.status);
  return {
    type: "error",
    code: text(error?.code),
    providerType: type === "error" ? null : type,
    message: text(error?.message) ?? text(error) ?? "",
  };
}

/** The failure that a frame's or a document's JSON holds, or `null`. `error: null` is no failure. */
export function inBandError(json: any): ErrorEvent | null {
  if (typeof json !== "object" || json === null) return null;
  const error = json.error || json.x_groq?.error;
  if (error) return describeError(error);
  if (json.object === "error" || json.type === "error") return describeError(json);
  if (json.choices?.length > 0) {
    for (const choice of json.choices) if (choice?.error && !choice.index) return describeError(choice.error);
  }
  return null;
}

/**
 * The failure that a frame holds, or `null`. A frame named `error` is one whatever its data is: llama.cpp wrote the
 * SSE field `error:` (ggml-org/llama.cpp#16109), which arrives here under that name.
 */
export function frameError(frame: Frame): ErrorEvent | null {
  if (frame.event !== "error") return inBandError(frame.json());
  let json: unknown;
  try {
    json = frame.json();
  } catch {
    return describeError(frame.data);
  }
  return inBandError(json) ?? describeError(json);
}
