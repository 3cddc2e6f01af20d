/** What the wire's tests share: a sink that writes down what it hears, and ways to slice bytes. */
import type { BodySink } from "../../src/wire/body.ts";
import type { Frame, FrameDecoder, WireFault } from "../../src/wire/frame.ts";

export type Heard =
  | { frame: [event: string, data: string] }
  | "comment"
  | { fault: WireFault }
  | "document begins"
  | { document: unknown }
  | "not a stream"
  | { end: boolean };

export class Recorder implements BodySink {
  readonly heard: Heard[] = [];
  /** Called with every frame: what a reader does that has seen enough. */
  onFrame: (frame: Frame) => void = () => {};

  frame(frame: Frame): void {
    this.heard.push({ frame: [frame.event, frame.data] });
    this.onFrame(frame);
  }
  comment(): void {
    this.heard.push("comment");
  }
  fault(fault: WireFault): void {
    this.heard.push({ fault });
  }
  documentBegins(): void {
    this.heard.push("document begins");
  }
  document(document: unknown): void {
    this.heard.push({ document });
  }
  notAStream(): void {
    this.heard.push("not a stream");
  }
}

export type CreateDecoder = (sink: Recorder) => FrameDecoder;

/** Everything that is heard of these chunks and of the clean end after them. */
export function play(create: CreateDecoder, chunks: Iterable<Uint8Array>): Heard[] {
  const recorder = new Recorder();
  const decoder = create(recorder);
  for (const chunk of chunks) decoder.feed(chunk);
  recorder.heard.push({ end: decoder.end() });
  return recorder.heard;
}

const encoder = new TextEncoder();
export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** `"whole"`, every `size` bytes, or at the given offsets. */
export function* sliced(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export function cutAt(bytes: Uint8Array, offsets: readonly number[]): Uint8Array[] {
  const edges = [0, ...offsets.map((offset) => offset % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
  return edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
}

export function joined(chunks: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(chunks.flatMap((chunk) => [...chunk]));
}
