/** Bytes of newline-delimited JSON in, one frame per line that is not empty out. */
import type { FrameDecoder, FrameSink, WireBounds } from "./frame.ts";
import { Utf8 } from "./utf8.ts";
import { WireFrame } from "./wire-frame.ts";

export function createNdjsonDecoder(sink: FrameSink, bounds: WireBounds): FrameDecoder {
  return new NdjsonDecoder(sink, bounds);
}

class NdjsonDecoder implements FrameDecoder {
  readonly #sink: FrameSink;
  readonly #maxEventBytes: number;
  readonly #utf8 = new Utf8();
  #over = false;
  /** Pieces of a line whose end has not come: joined once, for adding each to the last is quadratic in the pieces. */
  #pieces: string[] = [];
  #held = 0;

  constructor(sink: FrameSink, { maxEventBytes }: WireBounds) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
  }

  feed(chunk: Uint8Array): void {
    if (this.#over) return;
    const lines = this.#utf8.decode(chunk).split("\n");
    const rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
    this.#hold(rest);
  }

  /** A last line without its newline is a line if it is JSON: it may have been cut. */
  end(): boolean {
    if (this.#over) return false;
    const frame = new WireFrame("", this.#whole(this.#utf8.end()).trim());
    this.#over = true;
    const { isJson } = frame;
    if (isJson) this.#sink.frame(frame);
    return isJson;
  }

  stop(): void {
    this.#over = true;
  }

  #line(end: string): void {
    const line = this.#held === 0 ? end : this.#whole(end);
    if (line.length > this.#maxEventBytes) this.#tooLarge();
    const data = line.trim();
    if (data !== "" && !this.#over) this.#sink.frame(new WireFrame("", data));
  }

  #hold(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held > this.#maxEventBytes) this.#tooLarge();
  }

  #whole(end: string): string {
    const line = this.#pieces.join("") + end;
    this.#pieces = [];
    this.#held = 0;
    return line;
  }

  #tooLarge(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.fault("too_large");
  }
}
