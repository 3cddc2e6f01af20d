/** The bytes of a body in: decides by the first of them whether it is a stream, a JSON document, or neither. */
import { createDocumentDecoder, type DocumentSink } from "./document.ts";
import type { FrameDecoder, FrameSink, WireBounds } from "./frame.ts";
import { createNdjsonDecoder } from "./ndjson.ts";
import { createSseDecoder } from "./sse.ts";

export interface BodySink extends FrameSink, DocumentSink {
  /** The first byte of a JSON document is here: the answer has begun, though nothing of it can be shown yet. */
  documentBegins(): void;
  /** A web page, by its content type or its first byte. Nothing follows. */
  notAStream(): void;
}

export interface BodyOptions extends WireBounds {
  readonly framing: "sse" | "ndjson";
  readonly sink: BodySink;
}

export interface BodyDecoder extends FrameDecoder {
  /** Says what the content type alone tells, so that nobody waits for the body of a web page. Comes before the first chunk. */
  start(contentType: string | null): void;
}

export function createBodyDecoder(options: BodyOptions): BodyDecoder {
  return new Body(options);
}

const HTML = /^\s*text\/html\s*(;|$)/i;
const ANGLE = 0x3c;
const BRACE = 0x7b;
const BRACKET = 0x5b;
/** White space and the three bytes of a byte order mark: before the first other byte they mean nothing, and are dropped. */
const SKIPPED: readonly number[] = [0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf];

class Body implements BodyDecoder {
  readonly #options: BodyOptions;
  #decoder: FrameDecoder | null = null;
  #over = false;

  constructor(options: BodyOptions) {
    this.#options = options;
  }

  start(contentType: string | null): void {
    if (HTML.test(contentType ?? "")) this.#refuse();
  }

  feed(chunk: Uint8Array): void {
    if (this.#decoder !== null) this.#decoder.feed(chunk);
    else if (!this.#over) this.#begin(chunk);
  }

  end(): boolean {
    if (this.#decoder !== null) return this.#decoder.end();
    this.#over = true;
    return false;
  }

  stop(): void {
    this.#over = true;
    this.#decoder?.stop();
  }

  #begin(chunk: Uint8Array): void {
    const at = chunk.findIndex((byte) => !SKIPPED.includes(byte));
    if (at < 0) return;
    const first = chunk[at];
    if (first === ANGLE) this.#refuse();
    else if (this.#options.framing === "ndjson") this.#decoder = createNdjsonDecoder(this.#options.sink, this.#options);
    else if (first === BRACE || first === BRACKET) this.#beginDocument();
    else this.#decoder = createSseDecoder(this.#options.sink, this.#options);
    this.#decoder?.feed(at === 0 ? chunk : chunk.subarray(at));
  }

  #beginDocument(): void {
    this.#decoder = createDocumentDecoder(this.#options.sink, this.#options);
    this.#options.sink.documentBegins();
  }

  #refuse(): void {
    this.#over = true;
    this.#options.sink.notAStream();
  }
}
