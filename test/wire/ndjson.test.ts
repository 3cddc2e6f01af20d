import { describe, expect, it } from "vitest";
import { createNdjsonDecoder } from "../../src/wire/ndjson.ts";
import { bytesOf, type CreateDecoder, type Heard, play, Recorder, sliced } from "./recorder.ts";

const decoder: CreateDecoder = (sink) => createNdjsonDecoder(sink, { maxEventBytes: 1024 });
const heardOf = (...chunks: string[]): Heard[] => play(decoder, chunks.map(bytesOf));
const line = (data: string): Heard => ({ frame: ["", data] });

describe("newline-delimited JSON", () => {
  it("gives one frame per line, however the lines lie in the reads", () => {
    expect(heardOf('{"a"', ':1}\n{"b":2}\n{"c":3}\n{"d"', ":4}\n")).toEqual([
      line('{"a":1}'),
      line('{"b":2}'),
      line('{"c":3}'),
      line('{"d":4}'),
      { end: false },
    ]);
  });

  it("tolerates CRLF, split too, and skips empty lines", () => {
    expect(heardOf("\r\n\n  \n1\r\n2\r", "\n\r\n3\n")).toEqual([line("1"), line("2"), line("3"), { end: false }]);
  });

  it("drops a byte order mark and joins cut code points", () => {
    expect(play(decoder, sliced(bytesOf('\ufeff{"text":"北京 🌍\u2028"}\n'), 1))).toEqual([
      line('{"text":"北京 🌍\u2028"}'),
      { end: false },
    ]);
  });

  it("hands on a line that is not JSON: whether that matters is not decided here", () => {
    expect(heardOf("oops\n")).toEqual([line("oops"), { end: false }]);
  });

  it("takes a last line without its newline if it parses", () => {
    expect(heardOf('{"a":1}\n{"error":"stopped"}')).toEqual([
      line('{"a":1}'),
      line('{"error":"stopped"}'),
      { end: true },
    ]);
    expect(heardOf('{"a":1}\n{"b":')).toEqual([line('{"a":1}'), { end: false }]);
    expect(heardOf('{"a":1}\n  ')).toEqual([line('{"a":1}'), { end: false }]);
    expect(heardOf()).toEqual([{ end: false }]);
  });

  it("reports nothing after the end, or once it was stopped in the middle of a chunk", () => {
    const sink = new Recorder();
    const lines = decoder(sink);
    sink.onFrame = () => lines.stop();
    lines.feed(bytesOf("1\n2\n3"));
    lines.feed(bytesOf("\n4\n"));
    expect(lines.end()).toBe(false);
    expect(sink.heard).toEqual([line("1")]);

    const ended = new Recorder();
    const other = decoder(ended);
    expect(other.end()).toBe(false);
    other.feed(bytesOf("1\n"));
    expect(ended.heard).toEqual([]);
  });
});
