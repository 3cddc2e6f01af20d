/** Where the rows come from: files or standard input, gzipped or not, one chunk at a time. */
import { createReadStream, statSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";

export type Chunks = AsyncIterable<Uint8Array>;

export interface Source {
  readonly name: string;
  /** `null` where nobody knows: a pipe. */
  readonly sizeBytes: number | null;
  /** As stored; `onBytes` hears how much has been read so far. */
  open(onBytes: (bytes: number) => void): Chunks;
}

export function sourceOf(file: string, stdin: Chunks): Source {
  if (file === "-") return { name: "standard input", sizeBytes: null, open: (onBytes) => counted(stdin, onBytes) };
  return {
    name: file,
    sizeBytes: statSync(file, { throwIfNoEntry: false })?.size ?? null,
    open: (onBytes) => counted(createReadStream(file, { highWaterMark: 256 * 1024 }), onBytes),
  };
}

async function* counted(chunks: Chunks, onBytes: (bytes: number) => void): Chunks & AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    onBytes(bytes);
    yield chunk;
  }
}

export type Format = "csv" | "jsonl";

/** Tells by the bytes and not by the name: `export.csv` may be gzipped, standard input has no name. */
export async function recognised(chunks: Chunks): Promise<{ readonly format: Format; readonly chunks: Chunks }> {
  const raw = await peeked(chunks);
  const plain = isGzip(raw.head) ? await peeked(gunzipped(raw.chunks)) : raw;
  const first = new TextDecoder().decode(plain.head).trimStart()[0];
  return { format: first === "{" ? "jsonl" : "csv", chunks: plain.chunks };
}

function isGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

async function* gunzipped(chunks: Chunks): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  // Its failure arrives through `gunzip` as well.
  pipeline(Readable.from(chunks, { objectMode: false }), gunzip).catch(() => {});
  yield* gunzip;
}

const HEAD_BYTES = 1_024;

/** The first bytes, and everything from the beginning. */
async function peeked(chunks: Chunks): Promise<{ readonly head: Uint8Array; readonly chunks: Chunks }> {
  const iterator = chunks[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let bytes = 0;
  while (bytes < HEAD_BYTES) {
    const { value, done } = await iterator.next();
    if (done) break;
    seen.push(value);
    bytes += value.length;
  }
  return { head: Buffer.concat(seen).subarray(0, HEAD_BYTES), chunks: replayed(seen, iterator) };
}

async function* replayed(seen: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* seen;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
