/**
 * The one place that reads a body: it owns the read, the clock stamp and the failure of the read. Comes after the
 * headers, before `inspector.ts`; it knows nothing of what the bytes mean.
 */
import type { Clock } from "../base/clock.ts";

export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** Who is read for. */
export interface Reading {
  /** True once it is settled; a read that is still pending then is left alone, and collected with its stream. */
  readonly over: boolean;
  /** Reading has to wait: resolves when it may go on. `null` = go on. */
  room(): Promise<void> | null;
  chunk(bytes: Uint8Array, at: number): void;
  closed(at: number): void;
  failed(error: unknown, at: number): void;
}

/** Reads until the body ends, fails, or `reading` is over. Never rejects. */
export async function readBody(reader: BodyReader, clock: Clock, reading: Reading): Promise<void> {
  while (!reading.over) {
    const room = reading.room();
    if (room !== null) {
      await room;
      continue;
    }
    try {
      const read = await reader.read();
      if (reading.over) return;
      const at = clock.now();
      if (read.done) return reading.closed(at);
      // Some bodies that are no platform's give texts.
      if (!ArrayBuffer.isView(read.value)) throw new TypeError("the body gave something else than bytes");
      reading.chunk(read.value, at);
    } catch (error) {
      if (!reading.over) reading.failed(error, clock.now());
      return;
    }
  }
}

/** What a bounded rest of a body came to. */
export interface Rest {
  readonly bytes: Uint8Array;
  /** The body ended by itself: its connection can be used again. */
  readonly ended: boolean;
}

/**
 * Reads at most `maxBytes` more, for at most `maxMs`: an error body, or what follows the last event so that the
 * connection can be reused. Never rejects; settles by itself whether or not another byte comes.
 */
export function readRest(reader: BodyReader, clock: Clock, maxBytes: number, maxMs: number): Promise<Rest> {
  return new Promise((resolve) => {
    const chunks: Uint8Array[] = [];
    let size = 0;
    const settle = (ended: boolean) => {
      reading.over = true;
      cancel();
      resolve({ bytes: joined(chunks, Math.min(size, maxBytes)), ended });
    };
    const cancel = clock.after(maxMs, () => settle(false));
    const reading = {
      over: false,
      room: () => null,
      chunk(bytes: Uint8Array) {
        chunks.push(bytes);
        size += bytes.byteLength;
        // Empty reads count, too: each is kept until the end.
        if (Math.max(size, chunks.length) >= maxBytes) settle(false);
      },
      closed: () => settle(true),
      failed: () => settle(false),
    };
    void readBody(reader, clock, reading);
  });
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk.subarray(0, size - at), at);
    at = Math.min(size, at + chunk.byteLength);
  }
  return all;
}
