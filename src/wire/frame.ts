/** The seam between bytes and protocols: what a decoder of the wire hands on. */

export interface Frame {
  /** SSE `event:`, `""` if none; always `""` for NDJSON. */
  readonly event: string;
  readonly data: string;
  /**
   * `JSON.parse(data)`, done once; a frame that is neither JSON nor a keep-alive ends the turn as `malformed_event`.
   * It says so by throwing (a `FrameFault`); a protocol lets that pass, and whoever called the protocol ends the turn.
   */
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
  /** Nothing is reported any more, not even the rest of the chunk being fed: a sink may call it. */
  stop(): void;
}

export interface WireBounds {
  /**
   * Past this size an event, a line or a document is `too_large`. Counted in UTF-16 units of what it took on the wire,
   * field names included: that is bytes for ASCII, and never more than the bytes.
   */
  readonly maxEventBytes: number;
}
