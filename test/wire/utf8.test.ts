import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Utf8 } from "../../src/wire/utf8.ts";
import { bytesOf, cutAt, sliced } from "./recorder.ts";

function decoded(chunks: Iterable<Uint8Array>): string {
  const utf8 = new Utf8();
  let text = "";
  for (const chunk of chunks) text += utf8.decode(chunk);
  return text + utf8.end();
}

/** Bytes in which leads and continuations of every length meet, valid and not, short and past the fast path's length. */
const anyBytes = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 4 }).map((text) => [...bytesOf(text)]),
      fc.constantFrom(
        [0xef, 0xbb, 0xbf],
        [0x80],
        [0xbf],
        [0xc0],
        [0xc2],
        [0xe0, 0x80],
        [0xe2, 0x82],
        [0xed, 0xa0, 0x80],
      ),
      fc.constantFrom(
        [0xf0],
        [0xf0, 0x9f],
        [0xf0, 0x9f, 0x98],
        [0xf4, 0x90],
        [0xf5, 0x80, 0x80],
        [0xf8],
        [0xff],
        [0x00],
      ),
      fc.constant(Array<number>(600).fill(0x61)),
      fc.constant([...bytesOf("é".repeat(400))]),
    ),
    { maxLength: 12 },
  )
  .map((parts) => Uint8Array.from(parts.flat()));

describe("bytes to text", () => {
  it("gives the same text for any slicing of any bytes, valid or not, as one decode of all of them", () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.nat(), { maxLength: 8 }), (bytes, cuts) => {
        expect(decoded(cutAt(bytes, cuts))).toBe(new TextDecoder().decode(bytes));
      }),
      { numRuns: 2000 },
    );
  });

  it("gives the same text byte by byte", () => {
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        expect(decoded(sliced(bytes, 1))).toBe(new TextDecoder().decode(bytes));
      }),
    );
  });

  it("drops a byte order mark at the start of the body and keeps one at the start of a later chunk", () => {
    const mark = Uint8Array.of(0xef, 0xbb, 0xbf);
    expect(decoded([mark, bytesOf("a"), mark, bytesOf("b")])).toBe("a\ufeffb");
  });

  it("does not hold back a whole code point at the end of a chunk", () => {
    const utf8 = new Utf8();
    expect(["é", "€", "😀", "a"].map((text) => utf8.decode(bytesOf(text)))).toEqual(["é", "€", "😀", "a"]);
  });

  it("does not hold on to bytes that cannot become a code point", () => {
    expect(new Utf8().decode(Uint8Array.of(0x80, 0x80, 0x80, 0x80))).toBe("\ufffd".repeat(4));
  });

  it("shares no state between two bodies, whatever bytes either is cut off in", () => {
    const long = "é".repeat(1000);
    fc.assert(
      fc.property(anyBytes, (bytes) => {
        const [broken, sound] = [new Utf8(), new Utf8()];
        for (const decoder of [broken, sound]) decoder.decode(bytesOf(long));
        broken.decode(Uint8Array.from([...bytesOf(long), ...bytes]));
        expect(sound.decode(bytesOf(long))).toBe(long);
      }),
    );
  });
});
