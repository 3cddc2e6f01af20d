/** The bytes of one JSON document in, the document out at the clean end of the body: a non-streamed answer, or an error. */
import type { FrameDecoder, WireBounds, WireFault } from "./frame.ts";
import { parseJson } from "./json.ts";
import { Utf8 } from "./utf8.ts";

export interface DocumentSink {
  /** At a clean end of the body, once. */
  document(json: any): void;
  fault(fault: WireFault): void;
}

export function createDocumentDecoder(sink: DocumentSink, bounds: WireBounds): FrameDecoder {
  return new DocumentDecoder(sink, bounds);
}

class DocumentDecoder implements FrameDecoder {
  readonly #sink: DocumentSink;
  readonly #maxEventBytes: number;
  readonly #utf8 = new Utf8();
  #over = false;
  #pieces: string[] = [];
  #held = 0;

  constructor(sink: DocumentSink, { maxEventBytes }: WireBounds) {
    this.#sink = sink;
    this.#maxEventBytes = maxEventBytes;
  }

  feed(chunk: Uint8Array): void {
    if (this.#over) return;
    const text = this.#utf8.decode(chunk);
    if (text === "") return;
    this.#pieces.push(text);
    this.#held += text.length;
    if (this.#held <= this.#maxEventBytes) return;
    this.#over = true;
    this.#sink.fault("too_large");
  }

  end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#pieces.push(this.#utf8.end());
    const parsed = parseJson(this.#pieces.join(""));
    if (parsed.ok) this.#sink.document(parsed.json);
    else this.#sink.fault(parsed.fault);
    return false;
  }

  stop(): void {
    this.#over = true;
  }
}
