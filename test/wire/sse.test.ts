import { describe, expect, it } from "vitest";
import { createSseDecoder } from "../../src/wire/sse.ts";
import { bytesOf, play, Recorder, sliced } from "./recorder.ts";
import { decoder, ended, frame, heardOf, stepwise } from "./sse-fixture.ts";

describe("an event stream", () => {
  it("gives one frame per event, with its name", () => {
    expect(heardOf('event: ping\ndata: {"type":"ping"}\n\ndata: 1\n\n')).toEqual([
      frame('{"type":"ping"}', "ping"),
      frame("1"),
      ended,
    ]);
  });

  it("needs no space after the colon, and drops only one", () => {
    expect(heardOf("data:a\n\ndata:  b\n\nevent:x\ndata:[DONE]\n\n")).toEqual([
      frame("a"),
      frame(" b"),
      frame("[DONE]", "x"),
      ended,
    ]);
  });

  it("joins several data lines with LF, and ignores id, retry and fields it does not know", () => {
    const heard = heardOf(
      'id: 7\nretry: 10\nretry: soon\nx-trace: abc\nnonsense\ndata: {\ndata:   "a": 1\ndata: }\n\n',
    );
    expect(heard).toEqual([frame('{\n  "a": 1\n}'), ended]);
  });

  it("counts an event with empty data, and none without data", () => {
    expect(heardOf("data:\n\n", "data\n\n", "event: x\n\n", "\n\n\n")).toEqual([frame(""), frame(""), ended]);
  });

  it("reports comments as such, and no event for the blank line after them", () => {
    expect(heardOf(": PROCESSING\n\n:\n", "data: a\n: amid\n\n")).toEqual([
      "comment",
      "comment",
      "comment",
      frame("a"),
      ended,
    ]);
  });

  it("leaves data that begins with a colon to its reader", () => {
    expect(heardOf("data: : KEEPALIVE\n\n")).toEqual([frame(": KEEPALIVE"), ended]);
  });

  it("parses a frame once", () => {
    const sink = new Recorder();
    const seen: unknown[] = [];
    sink.onFrame = (each) => seen.push(each.json(), each.json());
    decoder(sink).feed(bytesOf('data: {"a":1}\n\n'));
    expect(seen[0]).toEqual({ a: 1 });
    expect(seen[1]).toBe(seen[0]);
  });
});

describe("line ends", () => {
  it("ends a line at LF, CRLF and CR, mixed too", () => {
    expect(
      heardOf("data: a\r\n\r\ndata: b\r\rdata: c\n\ndata: d\r\n\rdata: e\n\r\ndata: f\r\n\ndata: g\r\r\n"),
    ).toEqual([..."abcdefg"].map((data) => frame(data)).concat(ended));
  });

  it("dispatches an event with the read that carried its last CR", () => {
    expect(stepwise(["data: a\r\n\r", "\ndata: b\r", "\r", "data: c\n\n"])).toEqual([
      [frame("a")],
      [],
      [frame("b")],
      [frame("c")],
    ]);
  });

  it("dispatches at a CR in the middle of a long read, however little follows it", () => {
    for (let length = 16_370; length < 16_390; length++) {
      const data = "x".repeat(length);
      const sink = new Recorder();
      createSseDecoder(sink, { maxEventBytes: 1e6 }).feed(bytesOf(`data: ${data}\r\rdata: ${"y".repeat(9000)}`));
      expect(sink.heard).toEqual([frame(data)]);
    }
  });

  it("takes CR and LF of two reads for one line end, and an empty read for nothing", () => {
    expect(heardOf('data: {"a":\r', "", "\ndata: 1}\r\n\r", "\n")).toEqual([frame('{"a":\n1}'), ended]);
    expect(heardOf("data: a\r", "\n", "\n")).toEqual([frame("a"), ended]);
  });

  it("does not end a line at U+2028, U+2029, U+0085, VT or FF", () => {
    const data = "a\u2028b\u2029c\u0085d\u000be\u000c";
    expect(heardOf(`data: ${data}\n\n`)).toEqual([frame(data), ended]);
  });
});

describe("odd bytes", () => {
  it("drops a byte order mark, split or not", () => {
    const bytes = bytesOf("\ufeffdata: a\n\n");
    expect(play(decoder, [bytes])).toEqual([frame("a"), ended]);
    expect(play(decoder, sliced(bytes, 1))).toEqual([frame("a"), ended]);
  });

  it("joins code points that were cut by a read", () => {
    const bytes = bytesOf("data: 北京 🌍\n\n");
    for (let size = 1; size < bytes.length; size++) {
      expect(play(decoder, sliced(bytes, size))).toEqual([frame("北京 🌍"), ended]);
    }
  });

  it("replaces invalid UTF-8 and never throws", () => {
    expect(heardOf("data: a", Uint8Array.of(0xff, 0xc3), "b\n\n")).toEqual([frame("a\ufffd\ufffdb"), ended]);
    expect(heardOf("data: 1\n\ndata: ", Uint8Array.of(0xe2, 0x82))).toEqual([frame("1"), ended]);
  });

  it("keeps NUL in data", () => {
    expect(heardOf("id: a\0b\ndata: a\0b\n\n")).toEqual([frame("a\0b"), ended]);
  });
});
