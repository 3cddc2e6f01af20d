import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBodyDecoder } from "../../src/wire/body.ts";
import { createNdjsonDecoder } from "../../src/wire/ndjson.ts";
import { createSseDecoder } from "../../src/wire/sse.ts";
import { bytesOf, type CreateDecoder, cutAt, type Heard, play, sliced } from "./recorder.ts";

const bounds = { maxEventBytes: 1 << 24 };
const sse: CreateDecoder = (sink) => createSseDecoder(sink, bounds);
const ndjson: CreateDecoder = (sink) => createNdjsonDecoder(sink, bounds);
const body =
  (framing: "sse" | "ndjson"): CreateDecoder =>
  (sink) =>
    createBodyDecoder({ framing, sink, ...bounds });

const cuts = fc.array(fc.nat(), { maxLength: 12 });
const lineEnd = fc.constantFrom("\n", "\r", "\r\n");

/** Something on the wire, and what must be heard of it. */
interface Piece {
  readonly lines: readonly string[];
  readonly heard: readonly Heard[];
}
const text = fc.string({ unit: "binary", maxLength: 40 }).map((value) => value.replace(/[\r\n]/g, ""));

const event: fc.Arbitrary<Piece> = fc
  .record({
    name: fc.constantFrom("", "ping", "error"),
    space: fc.boolean(),
    data: fc.array(text, { minLength: 1, maxLength: 3 }),
  })
  .map(({ name, space, data }) => ({
    lines: [...(name ? [`event: ${name}`] : []), ...data.map((line) => `data:${space ? " " : ""}${line}`), ""],
    heard: [{ frame: [name, data.map((line) => (space ? line : line.replace(/^ /, ""))).join("\n")] }],
  }));
const comment: fc.Arbitrary<Piece> = text.map((line) => ({ lines: [`:${line}`], heard: ["comment"] }));
const ignored: fc.Arbitrary<Piece> = fc.constantFrom(
  { lines: ["id: 1"], heard: [] },
  { lines: ["retry: x"], heard: [] },
  { lines: ["x-trace"], heard: [] },
  { lines: [""], heard: [] },
);
const errorField: fc.Arbitrary<Piece> = text.map((line) => ({
  lines: [`error: ${line}`],
  heard: [{ frame: ["error", line] }],
}));
const bareJson: fc.Arbitrary<Piece> = fc
  .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 3 })
  .map((json) => JSON.stringify(json, null, 2))
  .map((json) => ({ lines: json.split("\n"), heard: [{ frame: ["", json] }] }));
const stream = fc.array(fc.oneof(event, comment, ignored, errorField, bareJson), { maxLength: 12 });

describe("any list of events, sliced anywhere", () => {
  it("gives the frames, comments and failures that it was made of, whatever ends its lines", () => {
    fc.assert(
      fc.property(
        stream,
        fc.array(lineEnd, { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        cuts,
        (pieces, ends, mark, at) => {
          const lines = pieces.flatMap((piece) => piece.lines);
          const chosen = (index: number) => ends[index % ends.length] as string;
          // A CR before an empty line that ends in LF would be one CRLF.
          const end = (index: number) =>
            lines[index + 1] === "" && chosen(index) === "\r" && chosen(index + 1) === "\n" ? "\n" : chosen(index);
          const wire = bytesOf((mark ? "\ufeff" : "") + lines.map((line, index) => line + end(index)).join(""));
          const expected = [...pieces.flatMap((piece) => piece.heard), { end: false }];
          expect(play(sse, cutAt(wire, at))).toEqual(expected);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("gives the same byte by byte, inside a body too", () => {
    fc.assert(
      fc.property(stream, lineEnd, (pieces, end) => {
        const wire = bytesOf(`: first${end}${pieces.flatMap((piece) => piece.lines).join(end)}`);
        const whole = play(sse, [wire]);
        expect(play(sse, sliced(wire, 1))).toEqual(whole);
        expect(play(body("sse"), sliced(wire, 1))).toEqual(whole);
        expect(play(body("sse"), sliced(wire, 7))).toEqual(whole);
      }),
    );
  });
});

/** The standard's own algorithm on whole text, with nothing in common with the decoder. */
function byTheStandard(wire: string): Heard[] {
  const heard: Heard[] = [];
  let [event, data] = ["", [] as string[]];
  for (const line of wire.split(/\r\n|\r|\n/).slice(0, -1)) {
    const [, field = "", value = ""] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) heard.push({ frame: [event, data.join("\n")] });
      [event, data] = ["", []];
    } else if (field === "") heard.push("comment");
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  return heard;
}

const token = fc.constantFrom(
  "\r",
  "\n",
  "\r\n",
  "\n\n",
  ":",
  " ",
  "data",
  "data:",
  "data: x",
  "event:",
  "event: y",
  "id:",
  "é",
);

describe("any text at all", () => {
  it("is read as the standard says, however it is sliced", () => {
    fc.assert(
      fc.property(fc.array(token, { maxLength: 40 }), cuts, (tokens, at) => {
        const wire = tokens.join("");
        const heard = play(sse, cutAt(bytesOf(wire), at));
        // What stands after the last line end may be a comment still; no event here is whole at the end.
        const expected = byTheStandard(wire);
        expect(heard.slice(0, expected.length)).toEqual(expected);
        expect(heard.slice(expected.length).filter((each) => each !== "comment")).toEqual([{ end: false }]);
      }),
      { numRuns: 2000 },
    );
  });

  it("makes the same heard sliced and whole, with JSON, failures and odd bytes in it", () => {
    const part = fc.oneof(
      token.map(bytesOf),
      fc.constantFrom("{", "}", "[", '"', "\\", "error:", "[DONE]", "<", '{"a":1}', "1", "\0").map(bytesOf),
      fc.uint8Array({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), cuts, (parts, at) => {
        const wire = Uint8Array.from(parts.flatMap((each) => [...each]));
        for (const create of [sse, ndjson, body("sse"), body("ndjson")]) {
          const whole = play(create, [wire]);
          expect(play(create, cutAt(wire, at))).toEqual(whole);
          expect(play(create, sliced(wire, 1))).toEqual(whole);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is read line by line as NDJSON", () => {
    const json = fc.jsonValue().map((value) => JSON.stringify(value));
    fc.assert(
      fc.property(
        fc.array(json),
        fc.constantFrom("\n", "\r\n", "\n\n"),
        fc.boolean(),
        cuts,
        (lines, end, closed, at) => {
          const wire = bytesOf(lines.join(end) + (closed ? end : ""));
          const heard: Heard[] = lines.map((line) => ({ frame: ["", line] }));
          expect(play(ndjson, cutAt(wire, at))).toEqual([...heard, { end: !closed && lines.length > 0 }]);
        },
      ),
    );
  });
});
