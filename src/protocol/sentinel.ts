/** What a frame can say without being a chunk of the answer: that the stream is over, or that the line is alive. */
import type { Frame } from "../wire/frame.ts";
import type { ProtocolEvent } from "./protocol.ts";

export const DONE: ProtocolEvent = { type: "done" };
export const KEEP_ALIVE: ProtocolEvent = { type: "keep_alive" };

const BRACE = 123;

/** How gateways name an event that only keeps the line open. */
export const isPing = (name: unknown): boolean => name === "ping" || name === "keepalive";

/** `DONE` for the data `[DONE]`, `KEEP_ALIVE` for a ping or for data that is empty or a comment; `null`: read its JSON. */
export function sentinelOf({ event, data }: Frame): ProtocolEvent | null {
  if (isPing(event)) return KEEP_ALIVE;
  if (data.charCodeAt(0) === BRACE) return null;
  const word = data.trim();
  if (word === "[DONE]") return DONE;
  return word === "" || word.startsWith(":") ? KEEP_ALIVE : null;
}
