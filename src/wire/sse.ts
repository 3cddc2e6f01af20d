/** Bytes of an event stream in, frames out: what eventsource-parser reads, and what providers send beside the standard. */
import { createParser, type ParseError } from "eventsource-parser";
import type { FrameDecoder, FrameSink, WireBounds } from "./frame.ts";
import { scanJson } from "./json.ts";
import { Utf8 } from "./utf8.ts";
import { WireFrame } from "./wire-frame.ts";

const PIECE = 16_384;
/** What ends in it has left no event open. */
const BLANK_LINE = /(\n\n|[\r\n]\r\n?)$/;

export function createSseDecoder(sink: FrameSink, bounds: WireBounds): FrameDecoder {
  return new SseDecoder(sink, bounds);
}

class SseDecoder implements FrameDecoder {
  readonly #sink: FrameSink;
  readonly #maxEventBytes: number;
  readonly #utf8 = new Utf8();
  readonly #parser = createParser({
    onEvent: (event) => this.#event(event.event ?? "", event.data),
    onComment: (comment) => this.#comment(comment),
    onError: (error) => this.#unknownLine(error),
  });
  #over = false;
  #ending = false;
  #flushed = false;
  #afterCr = false;
  /** What the event being built took on the wire so far: the parser's memory, lines of one character included. */
  #held = 0;
  /** Lines of JSON that stand in the stream as they are, and how many of their brackets are open. */
  #json = "";
  #openBrackets = 0;

  constructor(sink: FrameSink, { maxEventBytes }: WireBounds) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
  }

  feed(chunk: Uint8Array): void {
    if (!this.#over) this.#read(this.#utf8.decode(chunk));
  }

  /** The parser never dispatches an event that lacks its blank line; a server that closed cleanly may have meant it. */
  end(): boolean {
    if (this.#over) return false;
    this.#read(this.#utf8.end());
    this.#ending = true;
    this.#parser.feed("\n\n");
    if (this.#json !== "") this.#deliver(this.#takeJson());
    this.#over = true;
    return this.#flushed;
  }

  stop(): void {
    this.#over = true;
  }

  #read(text: string): void {
    if (text === "") return;
    this.#held += text.length;
    if (this.#afterCr || text.indexOf("\r") >= 0) this.#readWithCr(text);
    else this.#parser.feed(text);
    if (this.#held > 0 && this.#json === "" && BLANK_LINE.test(text.slice(-3))) this.#held = 0;
    if (this.#held > this.#maxEventBytes) this.#tooLarge();
  }

  /**
   * A CR that ends a piece is a line end at once, and not one read later; an LF that starts the next one is its other half.
   * Where there is a CR, the parser looks for the next CR and the next LF anew from each line: short pieces keep that linear.
   */
  #readWithCr(text: string): void {
    for (let at = 0; at < text.length; at += PIECE) {
      const piece = text.slice(at, at + PIECE);
      this.#parser.feed(this.#afterCr && piece.startsWith("\n") ? piece.slice(1) : piece);
      this.#afterCr = piece.endsWith("\r");
      if (this.#afterCr) this.#parser.feed("\n");
    }
  }

  #event(event: string, data: string): void {
    this.#held = 0;
    if (this.#json !== "") this.#deliver(this.#takeJson());
    this.#dispatch(new WireFrame(event, data));
  }

  #comment(comment: string): void {
    this.#held -= comment.length + 2; // its colon and its line end
    if (!this.#over) this.#sink.comment();
  }

  /** A llama.cpp server named a field `error:` (ggml-org/llama.cpp#16109), Gemini may append bare JSON (vercel/ai#5217). */
  #unknownLine({ field, value = "", line = "" }: ParseError): void {
    if (field === "error") this.#dispatch(new WireFrame("error", value));
    else if (this.#json !== "" || /^\s*[{[]/.test(line)) this.#gather(line);
  }

  #gather(line: string): void {
    this.#json += `${line}\n`;
    this.#openBrackets += scanJson(line).open;
    if (this.#openBrackets > 0) return;
    const frame = this.#takeJson();
    if (frame.isJson) this.#deliver(frame);
  }

  /** Cut by an event or by the end it is delivered all the same, for it was most likely the news of a failure. */
  #takeJson(): WireFrame {
    const frame = new WireFrame("", this.#json.trim());
    this.#json = "";
    this.#openBrackets = 0;
    return frame;
  }

  #dispatch(frame: WireFrame): void {
    if (!this.#ending || isWhole(frame)) this.#deliver(frame);
  }

  #deliver(frame: WireFrame): void {
    if (frame.data.length > this.#maxEventBytes) this.#tooLarge();
    if (this.#over) return;
    this.#flushed = this.#ending;
    this.#sink.frame(frame);
  }

  #tooLarge(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.fault("too_large");
  }
}

const isWhole = (frame: WireFrame): boolean => frame.data.trim() === "[DONE]" || frame.isJson;
