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
    const [first = "", ...others] = this.#utf8.decode(chunk).split("\n");
    this.#hold(first);
    for (const piece of others) {
      this.#line(this.#take());
      this.#hold(piece);
    }
  }

  /** A last line without its newline is a line if it is JSON: it may have been cut. */
  end(): boolean {
    if (this.#over) return false;
    this.#hold(this.#utf8.end());
    const frame = new WireFrame("", this.#take());
    const isWhole = !this.#over && frame.parsed.ok;
    this.#over = true;
    if (isWhole) this.#sink.frame(frame);
    return isWhole;
  }

  stop(): void {
    this.#over = true;
  }

  #hold(piece: string): void {
    if (piece === "") return;
    this.#pieces.push(piece);
    this.#held += piece.length;
    if (this.#held > this.#maxEventBytes) this.#tooLarge();
  }

  #take(): string {
    const line = this.#pieces.join("").trim();
    this.#pieces = [];
    this.#held = 0;
    return line;
  }

  #line(line: string): void {
    if (line !== "" && !this.#over) this.#sink.frame(new WireFrame("", line));
  }

  #tooLarge(): void {
    if (this.#over) return;
    this.#over = true;
    this.#sink.fault("too_large");
  }
}
