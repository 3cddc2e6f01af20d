/**
 * What the bytes of one attempt mean: joins wire, protocol, answer and timeline. Sans I/O: it is fed chunks with the
 * moment of their read, and says what each read brought. Comes after `read.ts`, before the gate in `attempt.ts`.
 */
import { listIn } from "../protocol/fields.ts";
import type { Protocol, ProtocolDecoder, ProtocolEvent, StreamEvent } from "../protocol/protocol.ts";
import type { Timeline } from "../timing/timeline.ts";
import { type BodyDecoder, type BodySink, createBodyDecoder } from "../wire/body.ts";
import type { Frame, WireFault } from "../wire/frame.ts";
import { wireFaultOf } from "../wire/json.ts";
import { Answer } from "./answer.ts";
import { jsonOf, typeOf, withRaw } from "./raw.ts";

export interface InspectorOptions {
  readonly protocol: Protocol;
  readonly timeline: Timeline;
  readonly collect: boolean;
  readonly maxEventBytes: number;
  readonly maxTurnBytes: number;
  /** `null` if nobody wants events. */
  readonly onEvent: ((event: StreamEvent) => void) | null;
}

const COLON = 58;

export class Inspector implements BodySink {
  readonly answer: Answer;
  /** The body is one JSON document, not a stream. */
  isDocument = false;
  unterminatedFinalEvent = false;
  /** The type of the last event as the provider calls it; at most 64 characters, since a server chose them. */
  lastEvent: string | null = null;
  /** What the latest read brought. */
  readOutput = false;
  readProgress = false;
  readonly #options: InspectorOptions;
  readonly #timeline: Timeline;
  readonly #decoder: ProtocolDecoder;
  readonly #wire: BodyDecoder;
  #at = 0;
  #frame: Frame | null = null;
  /** What the frame at hand has brought so far. */
  #emitted = 0;
  #keepAlive = false;
  #output = false;
  #content = false;
  /** Data of frames without an event of ours: a decoder may keep it (signatures, encrypted items). */
  #opaqueSize = 0;

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.#timeline = options.timeline;
    this.answer = new Answer(options.collect);
    this.#decoder = this.#decoderOf(options);
    const { protocol, maxEventBytes } = options;
    this.#wire = createBodyDecoder({ framing: protocol.framing, maxEventBytes, sink: this });
  }

  /** The headers are here; comes before the first read. */
  start(contentType: string | null): void {
    this.#wire.start(contentType);
  }

  /** One read. */
  feed(chunk: Uint8Array, at: number): void {
    this.#begin(at);
    this.#wire.feed(chunk);
    this.#noteLast();
    // It would keep the text of its whole read, and all that was parsed of it. A decoder that speaks at the end needs it.
    if (!this.#decoder.end) this.#frame = null;
  }

  /** A clean end of the body. */
  end(at: number): void {
    this.#begin(at);
    this.unterminatedFinalEvent = this.#wire.end() && !this.isDocument;
    if (!this.answer.settled && !this.isDocument) this.#guard(() => this.#decoder.end?.(this.#emit));
    this.answer.endWait();
    this.#noteLast();
    this.#frame = null;
  }

  /** A decoder of the caller's own may fail here, too: then there are no blocks. */
  get output(): readonly object[] {
    try {
      return listIn(this.#decoder.output?.());
    } catch {
      return [];
    }
  }

  // ── what the wire reports ──

  frame(frame: Frame): void {
    if (this.answer.settled) return;
    const index = this.#timeline.frames++;
    if (frame.data === "" || frame.data.charCodeAt(0) === COLON) return this.comment();
    const awaitedDetail = this.answer.awaitsDetail;
    this.#frame = frame;
    this.#emitted = 0;
    this.#keepAlive = this.#output = this.#content = false;
    try {
      this.#decoder.frame(frame, this.#emit);
    } catch (error) {
      this.fault(wireFaultOf(error));
    }
    if (awaitedDetail) this.answer.endWait();
    if (this.#keepAlive && this.#emitted === 1) this.comment();
    else this.#progressed(index);
    if (this.answer.settled) this.#wire.stop();
  }

  comment(): void {
    this.#timeline.keepAlives++;
  }

  /** Also where a decoder throws: it was fed something that its protocol does not know. */
  fault(fault: WireFault): void {
    this.answer.fail(fault === "too_large" ? "too_large" : "malformed_event");
  }

  documentBegins(): void {
    this.isDocument = true;
  }

  document(json: unknown): void {
    if (!this.#decoder.document) return this.notAStream();
    this.#timeline.frames++;
    this.#guard(() => this.#decoder.document?.(json, this.#emit));
    this.answer.endWait();
    this.#progressed(0);
    if (this.answer.failure === null) this.answer.signal = true;
  }

  notAStream(): void {
    this.answer.fail("not_a_stream");
  }

  // ── what the protocol says ──

  readonly #emit = (event: ProtocolEvent): void => {
    this.#emitted++;
    if (event.type === "keep_alive") this.#keepAlive = true;
    const heard = this.answer.hear(event);
    if (!heard.visible) return;
    if (heard.output) this.#output = true;
    if (heard.content) this.#content = true;
    this.#options.onEvent?.(withRaw(event, jsonOf(this.#frame)));
  };

  #begin(at: number): void {
    this.#at = at;
    this.readOutput = this.readProgress = false;
  }

  #noteLast(): void {
    if (this.#frame !== null) this.lastEvent = typeOf(this.#frame);
  }

  /** One that cannot even be made has met an answer that it does not know. */
  #decoderOf({ protocol, collect }: InspectorOptions): ProtocolDecoder {
    try {
      return protocol.createDecoder({ collect });
    } catch {
      this.fault("malformed");
      return { frame: () => {} };
    }
  }

  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fault(wireFaultOf(error));
    }
  }

  /** A frame that was not a keep-alive. */
  #progressed(index: number): void {
    this.readProgress = true;
    if (this.#output) this.readOutput = true;
    this.#timeline.event(index, this.#at, this.#output, this.#content);
    if (this.#emitted === 0) this.#opaque();
    const size = this.answer.assembler.size + this.#opaqueSize;
    if (size > this.#options.maxTurnBytes) this.answer.fail("too_large");
  }

  #opaque(): void {
    if (this.#options.collect) this.#opaqueSize += this.#frame?.data.length ?? 0;
    if (this.answer.failure === null && !this.isDocument) {
      this.#options.onEvent?.({ type: "other", raw: jsonOf(this.#frame) });
    }
  }
}
