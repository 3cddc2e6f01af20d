/** The id of a call: the same in turns, spans, records and errors. */

/** 80 bits each. */
const ID_DIGITS = 20;
const IDS_PER_DRAW = 128;
/** Drawn for many at once: to ask the platform costs more than all the rest of a call's set-up. */
let digits = "";
let used = 0;

/**
 * 20 random hexadecimal digits; also where a page is not a secure context and `randomUUID` is missing. `random` serves
 * where a runtime has no `crypto` (React Native without a polyfill): ids are no secrets.
 */
export function newCallId(random: () => number): string {
  if (used === digits.length) {
    digits = Array.from(randomBytes((IDS_PER_DRAW * ID_DIGITS) / 2, random), (byte) =>
      byte.toString(16).padStart(2, "0"),
    ).join("");
    used = 0;
  }
  used += ID_DIGITS;
  return `call_${digits.slice(used - ID_DIGITS, used)}`;
}

function randomBytes(size: number, random: () => number): Uint8Array {
  const bytes = new Uint8Array(size);
  return globalThis.crypto?.getRandomValues(bytes) ?? bytes.map(() => random() * 256);
}
