/** The id of a call: the same in turns, spans, records and errors. */

/** 80 random bits in 20 hexadecimal digits; also where a page is not a secure context and `randomUUID` is missing. */
export function newCallId(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(10));
  return `call_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
