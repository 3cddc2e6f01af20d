import { describe, expect, it } from "vitest";
import { bytesOf, Recorder } from "./recorder.ts";
import { decoder, ended, flushed, frame, heardOf, stepwise } from "./sse-fixture.ts";

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
