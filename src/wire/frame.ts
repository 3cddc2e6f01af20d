/** The seam between bytes and protocols: what a decoder of the wire hands on. */

export interface Frame {
  /** SSE `event:`, `""` if none; always `""` for NDJSON. */
  readonly event: string;
  readonly data: string;
  /** `JSON.parse(data)`, done once; a frame that is neither JSON nor a keep-alive ends the turn as `malformed_event`. */
  json(): any;
}

/** What the wire itself can find wrong with the bytes. */
export type WireFault = "too_large" | "malformed";

/** What a `FrameDecoder` reports, synchronously and in order. */
export interface FrameSink {
  frame(frame: Frame): void;
  /** SSE comments (`: ping`): liveness, and no event. */
  comment(): void;
  /** Nothing follows it: the decoder ignores all further bytes. */
  fault(fault: WireFault): void;
}

/** Bytes in, frames out; no I/O and no time. One per attempt. */
export interface FrameDecoder {
  feed(chunk: Uint8Array): void;
  /** A clean end of the body. True if a frame had to be dispatched without its closing line (`unterminatedFinalEvent`). */
  end(): boolean;
}
