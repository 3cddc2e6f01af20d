/** Where one frame of a body ends and the next begins, and what can be put there. */

const FRAME_ENDS = { sse: /(\r\n|\n|\r)(\r\n|\n|\r)+/g, ndjson: /\n/g };
const encoder = new TextEncoder();

/** Byte offsets at which a frame begins, the first at 0; not the end of the body. */
export function boundariesOf(bytes: Uint8Array, framing: "sse" | "ndjson"): number[] {
  // One character per byte, so that what matches stands at its byte.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  const offsets = [0];
  for (const { index, 0: end } of text.matchAll(FRAME_ENDS[framing])) offsets.push(index + end.length);
  return offsets.filter((offset) => offset < bytes.length);
}

/** `bytes` with `inserted` at each offset. */
export function splice(bytes: Uint8Array, offsets: readonly number[], inserted: string): Uint8Array {
  const extra = encoder.encode(inserted);
  const result = new Uint8Array(bytes.length + extra.length * offsets.length);
  let from = 0;
  let to = 0;
  const copy = (part: Uint8Array) => {
    result.set(part, to);
    to += part.length;
  };
  for (const offset of offsets) {
    copy(bytes.subarray(from, offset));
    copy(extra);
    from = offset;
  }
  copy(bytes.subarray(from));
  return result;
}
