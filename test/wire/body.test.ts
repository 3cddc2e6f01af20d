import { describe, expect, it } from "vitest";
import { type BodyOptions, createBodyDecoder } from "../../src/wire/body.ts";
import { bytesOf, type CreateDecoder, type Heard, play, Recorder, sliced } from "./recorder.ts";

type Options = Partial<BodyOptions> & { readonly contentType?: string };

const decoder =
  ({ contentType, ...options }: Options = {}): CreateDecoder =>
  (sink) => {
    const body = createBodyDecoder({ framing: "sse", maxEventBytes: 1024, sink, ...options });
    body.start(contentType ?? null);
    return body;
  };
const heardOf = (text: string, options: Options = {}): Heard[] => {
  const whole = play(decoder(options), [bytesOf(text)]);
  expect(play(decoder(options), sliced(bytesOf(text), 1))).toEqual(whole);
  return whole;
};
const frame = (data: string): Heard => ({ frame: ["", data] });
const ended: Heard = { end: false };

describe("what a body is", () => {
  it("is a stream unless its first byte says otherwise", () => {
    expect(heardOf("data: 1\n\n")).toEqual([frame("1"), ended]);
    expect(heardOf(": ping\n\ndata: 1")).toEqual(["comment", frame("1"), { end: true }]);
    expect(heardOf("oops")).toEqual([ended]);
    expect(heardOf('{"a":1}\n', { framing: "ndjson" })).toEqual([frame('{"a":1}'), ended]);
    expect(heardOf("[1]\n", { framing: "ndjson" })).toEqual([frame("[1]"), ended]);
  });

  it("is a JSON document from { or [ on, said at its first byte and delivered at the clean end", () => {
    const document = { error: { message: "no 🌍" } };
    for (const text of [
      JSON.stringify(document),
      JSON.stringify(document, null, 2),
      `[${JSON.stringify(document)}]\n`,
    ]) {
      expect(heardOf(text)).toEqual(["document begins", { document: JSON.parse(text) }, ended]);
    }
    const sink = new Recorder();
    decoder()(sink).feed(bytesOf("{"));
    expect(sink.heard).toEqual(["document begins"]);
  });

  it("is malformed if the document is cut or no JSON", () => {
    for (const text of ["{", '{"a":1', '{"a":1}}', "{}\n{}", "[DONE]"]) {
      expect(heardOf(text)).toEqual(["document begins", { fault: "malformed" }, ended]);
    }
    const cut = [bytesOf('{"a":1}'), Uint8Array.of(0xe2, 0x82)];
    expect(play(decoder(), cut)).toEqual(["document begins", { fault: "malformed" }, ended]);
  });

  it("is no stream from < on, in either framing", () => {
    for (const framing of ["sse", "ndjson"] as const) {
      expect(heardOf("<!doctype html>\ndata: 1\n\n", { framing })).toEqual(["not a stream", ended]);
    }
  });

  it("does not depend on white space or a byte order mark before its first byte", () => {
    for (const before of ["\n\n", " \t\r\n", "\ufeff", "\ufeff\r\n", "\n".repeat(5000)]) {
      expect(heardOf(`${before}data: 1\n\n`)).toEqual([frame("1"), ended]);
      expect(heardOf(`${before}{"a":1}`)).toEqual(["document begins", { document: { a: 1 } }, ended]);
      expect(heardOf(`${before}{"a":1}`, { framing: "ndjson" })).toEqual([frame('{"a":1}'), { end: true }]);
      expect(heardOf(`${before}<html>`)).toEqual(["not a stream", ended]);
    }
  });

  it("is nothing at all if nothing or only white space came", () => {
    expect(heardOf("")).toEqual([ended]);
    expect(heardOf("\ufeff \r\n")).toEqual([ended]);
  });
});

describe("a body of text/html", () => {
  const html = ["text/html", "Text/HTML; charset=utf-8", " text/html ;x"];

  it("is no stream at once, and said once", () => {
    for (const contentType of html) {
      const sink = new Recorder();
      const body = createBodyDecoder({ framing: "sse", maxEventBytes: 1024, sink });
      body.start(contentType);
      expect(sink.heard).toEqual(["not a stream"]);
      body.feed(bytesOf("data: 1\n\n"));
      expect(body.end()).toBe(false);
      expect(sink.heard).toEqual(["not a stream"]);
    }
  });

  it("stays none, whatever its bytes are", () => {
    for (const contentType of html) {
      expect(heardOf("data: 1\n\n", { contentType })).toEqual(["not a stream", ended]);
      expect(heardOf("", { contentType })).toEqual(["not a stream", ended]);
    }
  });

  it("differs from every other content type, which the bytes may belie", () => {
    for (const contentType of ["application/json", "text/plain", "", "text/htmlx", "text/event-stream"]) {
      expect(heardOf("data: 1\n\n", { contentType })).toEqual([frame("1"), ended]);
    }
  });
});

describe("stop()", () => {
  it("holds in every state: before the first byte, in a stream, in a document", () => {
    const document = '{"a":1}';
    for (const [before, after] of [
      ["", "data: 1\n\n"],
      ["", document],
      ["data: ", "1\n\n"],
      ["{", '"a":1}'],
    ] as const) {
      const sink = new Recorder();
      const body = decoder()(sink);
      body.feed(bytesOf(before));
      body.stop();
      sink.heard.length = 0;
      body.feed(bytesOf(after));
      expect(body.end()).toBe(false);
      expect(sink.heard).toEqual([]);
    }
  });

  it("may be called by who hears that a document begins", () => {
    const sink = new Recorder();
    const body = decoder()(sink);
    sink.documentBegins = () => body.stop();
    body.feed(bytesOf('{"a":1}'));
    expect(body.end()).toBe(false);
    expect(sink.heard).toEqual([]);
  });
});
