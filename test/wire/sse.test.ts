import { describe, expect, it } from "vitest";
import { createSseDecoder } from "../../src/wire/sse.ts";
import { bytesOf, type CreateDecoder, type Heard, play, Recorder, sliced } from "./recorder.ts";

const decoder: CreateDecoder = (sink) => createSseDecoder(sink, { maxEventBytes: 1024 });
const heardOf = (...chunks: (string | Uint8Array)[]): Heard[] =>
  play(
    decoder,
    chunks.map((chunk) => (typeof chunk === "string" ? bytesOf(chunk) : chunk)),
  );
const frame = (data: string, event = ""): Heard => ({ frame: [event, data] });
const ended: Heard = { end: false };
const flushed: Heard = { end: true };

/** What each chunk made heard, chunk by chunk. */
function stepwise(chunks: readonly string[]): Heard[][] {
  const sink = new Recorder();
  const sse = decoder(sink);
  return chunks.map((chunk) => {
    sse.feed(bytesOf(chunk));
    return sink.heard.splice(0);
  });
}

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
    for (let length = 4080; length < 4100; length++) {
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

describe("failures beside `data:`", () => {
  it("makes a frame named error of the field `error:`, as soon as its line ends", () => {
    expect(stepwise(['data: {"a":1}\n\nerror: {"code":500}\n', "\n"])).toEqual([
      [frame('{"a":1}'), frame('{"code":500}', "error")],
      [],
    ]);
    expect(heardOf("error: overloaded\n\n")).toEqual([frame("overloaded", "error"), ended]);
  });

  it("gathers JSON that stands in the stream as it is, and delivers it when its last bracket is closed", () => {
    const pretty = JSON.stringify({ error: { code: 503, message: "a { in a string", details: [] } }, null, 2);
    expect(stepwise(["data: {}\n\n", `${pretty}\n`, "data: {}\n\n"])).toEqual([
      [frame("{}")],
      [frame(pretty)],
      [frame("{}")],
    ]);
    expect(heardOf(`${pretty.replaceAll("\n", "\r\n")}\r\n\r\n`)).toEqual([frame(pretty), ended]);
    expect(heardOf('  [{"error":1}]\n')).toEqual([frame('[{"error":1}]'), ended]);
  });

  it("delivers it without a newline at a clean end", () => {
    expect(heardOf('data: {}\n\n{\n  "error": {}\n}')).toEqual([frame("{}"), frame('{\n  "error": {}\n}'), flushed]);
  });

  it("delivers it cut as well, by the end or by an event: half a failure must not pass for none", () => {
    expect(heardOf('data: {}\n\n{\n  "error": {\n')).toEqual([frame("{}"), frame('{\n  "error": {'), flushed]);
    expect(heardOf('{ "error": {\n', "data: {}\n\n")).toEqual([frame('{ "error": {'), frame("{}"), ended]);
  });

  it("reads the next one afresh after one that was cut", () => {
    expect(stepwise(['{ "error": {\n', "data: {}\n\n", '{ "error": {} }\n'])).toEqual([
      [],
      [frame('{ "error": {'), frame("{}")],
      [frame('{ "error": {} }')],
    ]);
  });

  it("ignores a bare line that is not JSON, a bare [DONE] above all", () => {
    expect(heardOf("[DONE]\n{nonsense}\n<p>\ndata: a\n\n")).toEqual([frame("a"), ended]);
  });
});

describe("the end of the body", () => {
  it.each(["data: [DONE]", "data:[DONE]\n", "data: [DONE] \r", "data: [DONE]\r\n"])(
    "dispatches %j once, and says that it was not terminated",
    (tail) => {
      expect(heardOf("data: 1\n\n", tail)).toEqual([
        frame("1"),
        frame(tail.slice(5).replace(/^ |[\r\n]+$/g, "")),
        flushed,
      ]);
    },
  );

  it("dispatches a pending event whose data parses as JSON, with its name, after one newline or none", () => {
    for (const tail of ["", "\n", "\r", "\r\n"]) {
      expect(heardOf(`event: response.completed\ndata: {"a":1}${tail}`)).toEqual([
        frame('{"a":1}', "response.completed"),
        flushed,
      ]);
    }
    expect(heardOf("data: {\ndata: }")).toEqual([frame("{\n}"), flushed]);
    expect(heardOf('error: {"code":1}')).toEqual([frame('{"code":1}', "error"), flushed]);
  });

  it("drops a pending event that is cut, empty or no JSON", () => {
    for (const tail of [
      'data: {"a":1',
      "data:",
      "data: [DON",
      "data: : ping",
      "error: overlo",
      "event: x",
      "dat",
      "id: 1",
    ]) {
      expect(heardOf("data: 1\n\n", tail), tail).toEqual([frame("1"), ended]);
    }
  });

  it("does not overlook the beginning of a code point after data that would be whole", () => {
    expect(heardOf("data: 1\n\ndata: [DONE]", Uint8Array.of(0xe2, 0x82))).toEqual([frame("1"), ended]);
  });

  it("is not unterminated after a blank line, or without any byte", () => {
    expect(heardOf("data: [DONE]\n\n")).toEqual([frame("[DONE]"), ended]);
    expect(heardOf()).toEqual([ended]);
  });

  it("comes once, and nothing is heard after it", () => {
    const sink = new Recorder();
    const sse = decoder(sink);
    sse.feed(bytesOf("data: 1"));
    expect(sse.end()).toBe(true);
    sse.feed(bytesOf("\n\ndata: 2\n\n: ping\n"));
    expect(sse.end()).toBe(false);
    expect(sink.heard).toEqual([frame("1")]);
  });
});

describe("stop()", () => {
  it("from inside a frame keeps back the rest of the chunk, comments and the end included", () => {
    const sink = new Recorder();
    const sse = decoder(sink);
    sink.onFrame = ({ data }) => data === "[DONE]" && sse.stop();
    sse.feed(bytesOf('data: 1\n\ndata: [DONE]\n\n: ping\ndata: 2\n\nerror: x\n{"a":1}\ndata: 3'));
    sse.feed(bytesOf("\n\ndata: 4\n\n"));
    expect(sse.end()).toBe(false);
    expect(sink.heard).toEqual([frame("1"), frame("[DONE]")]);
  });

  it("from inside the frame that the end dispatched is allowed too", () => {
    const sink = new Recorder();
    const sse = decoder(sink);
    sink.onFrame = () => sse.stop();
    sse.feed(bytesOf("data: 1"));
    expect(sse.end()).toBe(true);
    expect(sink.heard).toEqual([frame("1")]);
  });
});
