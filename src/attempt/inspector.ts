/**
 * What the bytes of one attempt mean: joins wire, protocol, assembly and timeline. Sans I/O: it is fed chunks with the
 * moment of their read, and says what each read brought. Comes after `read.ts`, before the gate in `attempt.ts`.
 */
import type { FailureReason } from "../base/failure.ts";
import type { Protocol, ProtocolDecoder, ProtocolEvent, StreamEvent } from "../protocol/protocol.ts";
import type { Timeline } from "../timing/timeline.ts";
import { Assembler } from "../turn/assembler.ts";
import type { AnswerFacts } from "../turn/verdict.ts";
import { type BodyDecoder, type BodySink, createBodyDecoder } from "../wire/body.ts";
import type { Frame, WireFault } from "../wire/frame.ts";
import { wireFaultOf } from "../wire/json.ts";

export interface InspectorOptions {
  readonly protocol: Protocol;
  readonly timeline: Timeline;
  readonly contentType: string | null;
  readonly collect: boolean;
  readonly maxEventBytes: number;
  readonly maxTurnBytes: number;
  /** `null` if nobody wants events. */
  readonly onEvent: ((event: StreamEvent) => void) | null;
}

/** What a provider said of its own failure. */
export interface ProviderError {
  readonly code: string | null;
  readonly type: string | null;
  readonly message: string;
}

export class Inspector implements BodySink {
  readonly assembler: Assembler;
  /** The success signal was seen. */
  signal = false;
  /** The provider has ended the answer without it. */
  ended = false;
  /** Why nothing further of this body counts. */
  failure: FailureReason | null = null;
  providerError: ProviderError | null = null;
  /** A failure came without type, code or words; one more frame may hold them. */
  awaitsDetail = false;
  /** A provider-run tool has started. */
  providerTool = false;
  /** The body is one JSON document, not a stream. */
  isDocument = false;
  unterminatedFinalEvent = false;
  /** What the latest read brought. */
  readOutput = false;
  readProgress = false;
  readonly #options: InspectorOptions;
  readonly #timeline: Timeline;
  readonly #decoder: ProtocolDecoder;
  readonly #wire: BodyDecoder;
  #at = 0;
  #frame: Frame | null = null;
  #emitted = 0;
  #keepAlive = false;
  #output = false;
  #content = false;
  #opaqueSize = 0;

  constructor(options: InspectorOptions) {
    this.#options = options;
    this.#timeline = options.timeline;
    this.assembler = new Assembler(options.collect);
    this.#decoder = options.protocol.createDecoder({ collect: options.collect });
    const { contentType, maxEventBytes } = options;
    this.#wire = createBodyDecoder({ framing: options.protocol.framing, contentType, maxEventBytes, sink: this });
    this.#wire.start();
  }

  /** One read. */
  feed(chunk: Uint8Array, at: number): void {
    this.#at = at;
    this.readOutput = this.readProgress = false;
    this.#wire.feed(chunk);
  }

  /** A clean end of the body. */
  end(at: number): void {
    this.#at = at;
    this.readOutput = this.readProgress = false;
    this.unterminatedFinalEvent = this.#wire.end() && !this.isDocument;
    if (!this.settled && !this.isDocument && this.#decoder.end) {
      try {
        this.#decoder.end(this.#emit);
      } catch (error) {
        this.fault(wireFaultOf(error));
      }
    }
    if (this.awaitsDetail) this.failure ??= "provider_error";
  }

  /** No further frame changes anything. */
  get settled(): boolean {
    return this.signal || this.ended || this.failure !== null;
  }

  get facts(): AnswerFacts {
    const { stopReason, rawStopReason, anything, content } = this.assembler;
    return { signal: this.signal, ended: this.ended, stopReason, rawStopReason, anything, content };
  }

  get output(): readonly object[] {
    return this.#decoder.output?.() ?? [];
  }

  /** The type of the last event as the provider calls it; at most 64 characters, since a server chose them. */
  get lastEvent(): string | null {
    const frame = this.#frame;
    if (frame === null) return null;
    const type = frame.event || (frame.data === "[DONE]" ? frame.data : (jsonOf(frame)?.type ?? jsonOf(frame)?.object));
    return typeof type === "string" ? type.slice(0, 64) : null;
  }

  // ── what the wire reports ──

  frame(frame: Frame): void {
    if (this.settled) return;
    const timeline = this.#timeline;
    const index = timeline.frames++;
    if (frame.data === "" || frame.data.charCodeAt(0) === 58 /* : */) {
      timeline.keepAlives++;
      return;
    }
    this.#frame = frame;
    const detailed = this.awaitsDetail;
    this.#emitted = 0;
    this.#keepAlive = this.#output = this.#content = false;
    // A decoder that throws was fed something that its protocol does not know.
    try {
      this.#decoder.frame(frame, this.#emit);
    } catch (error) {
      this.fault(wireFaultOf(error));
    }
    if (detailed) this.failure ??= "provider_error";
    if (this.#keepAlive && this.#emitted === 1) timeline.keepAlives++;
    else this.#progressed(index);
  }

  comment(): void {
    this.#timeline.keepAlives++;
  }

  fault(fault: WireFault): void {
    this.#fail(fault === "too_large" ? "too_large" : "malformed_event");
  }

  documentBegins(): void {
    this.isDocument = true;
  }

  document(json: unknown): void {
    if (!this.#decoder.document) return this.notAStream();
    this.#timeline.frames++;
    try {
      this.#decoder.document(json, this.#emit);
    } catch (error) {
      this.fault(wireFaultOf(error));
    }
    this.#progressed(0);
    if (this.failure === null) this.signal = true;
  }

  notAStream(): void {
    this.#fail("not_a_stream");
  }

  // ── what the protocol says ──

  readonly #emit = (event: ProtocolEvent): void => {
    this.#emitted++;
    switch (event.type) {
      case "keep_alive":
        this.#keepAlive = true;
        return;
      case "error":
        return this.#providerFailed(event.code ?? null, event.providerType ?? null, event.message);
      case "malformed":
        return this.#fail("malformed_event");
      case "end":
        this.ended = true;
        return this.#wire.stop();
      case "done":
        this.signal = true;
        return this.#wire.stop();
      case "provider_tool":
        this.providerTool = true;
        this.assembler.add(event);
        return;
      case "tool_answered":
      case "ignored_choice":
        this.assembler.add(event);
        return;
      default:
        this.#answer(event);
    }
  };

  #answer(event: Exclude<ProtocolEvent, { type: HiddenType }>): void {
    // What stands in the failing frame besides the failure is not an answer, but its stop reason is kept.
    if ((this.failure !== null || this.awaitsDetail) && event.type !== "stop" && event.type !== "usage") return;
    if (!this.assembler.add(event)) return this.#fail("too_large");
    if (event.type === "text" || event.type === "refusal") {
      if (event.text !== "") this.#output = this.#content = true;
    } else if (event.type === "tool_call") this.#output = this.#content = true;
    else if (event.type === "reasoning") this.#output ||= event.text !== "";
    else if (event.type === "tool_arguments") this.#output = this.#content ||= event.delta !== "";
    this.#options.onEvent?.({ ...event, raw: jsonOf(this.#frame) } as StreamEvent);
  }

  #providerFailed(code: string | null, type: string | null, message: string): void {
    if (this.failure !== null) return;
    this.awaitsDetail = code === null && type === null && message === "";
    this.providerError = { code, type, message };
    if (!this.awaitsDetail) this.#fail("provider_error");
  }

  #fail(reason: FailureReason): void {
    this.failure ??= reason;
    this.#wire.stop();
  }

  /** Stamps what a frame that was not a keep-alive brought. */
  #progressed(index: number): void {
    const timeline = this.#timeline;
    timeline.events++;
    timeline.firstEventAt ??= this.#at;
    this.readProgress = true;
    if (this.#output) {
      this.readOutput = true;
      timeline.firstOutputEvent ??= index;
      timeline.firstOutputAt ??= this.#at;
    }
    if (this.#content) {
      timeline.contentChunks++;
      timeline.firstContentEvent ??= index;
      timeline.firstContentAt ??= this.#at;
    }
    if (this.#emitted === 0) this.#opaque();
    if (this.assembler.size + this.#opaqueSize > this.#options.maxTurnBytes) this.#fail("too_large");
  }

  /** A frame without an event of ours: the decoder may keep it (signatures, encrypted items), so it counts as kept. */
  #opaque(): void {
    if (this.#options.collect) this.#opaqueSize += this.#frame?.data.length ?? 0;
    if (this.failure === null && !this.isDocument) this.#options.onEvent?.({ type: "other", raw: jsonOf(this.#frame) });
  }
}

type HiddenType =
  | "keep_alive"
  | "error"
  | "malformed"
  | "end"
  | "done"
  | "provider_tool"
  | "tool_answered"
  | "ignored_choice";

/** The decoded frame, or `null` where its data is no JSON (`[DONE]`). */
function jsonOf(frame: Frame | null): any {
  try {
    return frame?.json() ?? null;
  } catch {
    return null;
  }
}
