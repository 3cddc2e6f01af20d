/** The id of a call: the same in turns, spans, records and errors. */

/** 80 bits each. */
const ID_BYTES = 10;
/** Drawn for many at once: to ask the platform costs more than all the rest of a call's set-up. */
const drawn = /* @__PURE__ */ new Uint8Array(128 * ID_BYTES);
let used = drawn.length;

/** 20 random hexadecimal digits; also where a page is not a secure context and `randomUUID` is missing. */
export function newCallId(): string {
  if (used === drawn.length) {
    globalThis.crypto.getRandomValues(drawn);
    used = 0;
  }
  let id = "call_";
  for (const end = used + ID_BYTES; used < end; used++) id += ((drawn[used] as number) + 256).toString(16).slice(1);
  return id;
}
