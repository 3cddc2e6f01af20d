/** The door for protocols that come from outside: what is wrong with one is said when it is made, not when it is used. */
import type { Protocol } from "./protocol.ts";

/**
 * A protocol of your own, to be used wherever a built-in one is named.
 *
 * @throws TypeError for a missing `name`, `framing` or `createDecoder`.
 */
export function defineProtocol(protocol: Protocol): Protocol {
  const { name, framing, createDecoder } = protocol;
  check(typeof name === "string" && name !== "", "name", name, "a name");
  check(framing === "sse" || framing === "ndjson", "framing", framing, '"sse" or "ndjson"');
  check(typeof createDecoder === "function", "createDecoder", createDecoder, "a function");
  return protocol;
}

function check(holds: boolean, option: string, value: unknown, allowed: string): void {
  if (holds) return;
  const shown = typeof value === "string" ? JSON.stringify(value) : typeof value;
  throw new TypeError(`\`${option}\` of a protocol must be ${allowed}, got ${shown}`);
}
