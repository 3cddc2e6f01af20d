/** What the SSE decoder's tests share: what it makes of chunks, all at once or chunk by chunk. */
import { createSseDecoder } from "../../src/wire/sse.ts";
import { bytesOf, type CreateDecoder, type Heard, play, Recorder } from "./recorder.ts";

export const decoder: CreateDecoder = (sink) => createSseDecoder(sink, { maxEventBytes: 1024 });
export const heardOf = (...chunks: (string | Uint8Array)[]): Heard[] =>
  play(
    decoder,
    chunks.map((chunk) => (typeof chunk === "string" ? bytesOf(chunk) : chunk)),
  );
export const frame = (data: string, event = ""): Heard => ({ frame: [event, data] });
export const ended: Heard = { end: false };
export const flushed: Heard = { end: true };

/** What each chunk made heard, chunk by chunk. */
export function stepwise(chunks: readonly string[]): Heard[][] {
  const sink = new Recorder();
  const sse = decoder(sink);
  return chunks.map((chunk) => {
    sse.feed(bytesOf(chunk));
    return sink.heard.splice(0);
  });
}
