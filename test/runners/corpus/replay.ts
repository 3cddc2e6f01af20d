/** Plays recorded bytes through the public client from memory, in chunks of any size and with any ending. */
import type { CallError, CallRecord, Client, Timing, Turn } from "../../../src/index.ts";
import type { Library } from "../library.ts";
import { bodyOf, urlOf } from "../play/requests.ts";
import { framingOf } from "../stub/bytes-reader.ts";
import type { Recording } from "./recording.ts";

export interface Delivery {
  readonly chunks: Iterable<Uint8Array>;
  readonly ending: "close" | "reset";
  /** Asked before each chunk after the first. */
  readonly between?: () => Promise<void>;
}

/** What came of one replay. Exactly one of `turn` and `error` is set. */
export interface Replayed {
  readonly turn: Turn | null;
  readonly error: CallError | null;
  readonly record: CallRecord;
  /** Pieces that a consumer of the stream got; `null` where nobody read event by event. */
  readonly consumed: string | null;
  readonly timing: Timing;
}

export const sliced = function* (bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size);
};

/** One client for one recording; one replay at a time. */
export class Player {
  readonly #client: Client;
  readonly #library: Library;
  readonly #body: object;
  #delivery: Delivery = { chunks: [], ending: "close" };
  #record: CallRecord | null = null;

  constructor(library: Library, { expected, bytes }: Recording, completion: "strict" | "lenient" = "strict") {
    const { protocol } = expected;
    const init = {
      status: expected.source.http_status || 200,
      headers: { "content-type": contentType(protocol, bytes) },
    };
    const createClient = library.createClient as NonNullable<Library["createClient"]>;
    this.#library = library;
    this.#body = bodyOf(protocol, { action: "consume" });
    this.#client = createClient({
      endpoints: [{ name: "A", protocol, url: urlOf("http://127.0.0.1:9", "A", protocol), completion }],
      retry: { maxRetries: 0 },
      breaker: false,
      retryBudget: false,
      hedge: false,
      observers: [{ callEnd: (_, record) => this.#remember(record) }],
      fetch: async () => new Response(streamOf(this.#delivery), init),
    });
  }

  /** Event by event, as a consumer reads. `opened` is told when the gate has opened. */
  async stream(delivery: Delivery, opened = () => {}): Promise<Replayed> {
    this.#delivery = delivery;
    let consumed = "";
    try {
      const stream = await this.#client.stream(this.#body);
      opened();
      try {
        for await (const event of stream) if (event.type === "text") consumed += event.text;
      } catch (thrown) {
        if (!this.#library.isTtftError?.(thrown)) throw thrown;
      }
      return this.#result(await stream.turn(), null, consumed);
    } catch (thrown) {
      return this.#result(null, this.#callError(thrown), consumed);
    }
  }

  /** All at once. */
  async turn(delivery: Delivery): Promise<Replayed> {
    this.#delivery = delivery;
    try {
      return this.#result(await this.#client.turn(this.#body), null, null);
    } catch (thrown) {
      return this.#result(null, this.#callError(thrown), null);
    }
  }

  #remember(record: CallRecord): void {
    this.#record = record;
  }

  #callError(thrown: unknown): CallError {
    const { CallError } = this.#library;
    if (CallError && thrown instanceof CallError) return thrown;
    throw thrown;
  }

  #result(turn: Turn | null, error: CallError | null, consumed: string | null): Replayed {
    const record = this.#record;
    this.#record = null;
    const timing = turn?.timing ?? error?.timing;
    if (!record || !timing) throw new Error("the call ended without a record");
    return { turn, error, record, consumed, timing };
  }
}

/** `{` or `[` begins a JSON document, not a stream. */
export const isDocument = (protocol: Recording["expected"]["protocol"], bytes: Uint8Array) =>
  framingOf(protocol) === "sse" && /^\s*[{[]/.test(new TextDecoder().decode(bytes.subarray(0, 64)));

function contentType(protocol: Recording["expected"]["protocol"], bytes: Uint8Array): string {
  if (framingOf(protocol) === "ndjson") return "application/x-ndjson";
  return isDocument(protocol, bytes) ? "application/json" : "text/event-stream";
}

function streamOf({ chunks, ending, between }: Delivery): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.iterator]();
  let first = true;
  const source: UnderlyingDefaultSource<Uint8Array> = {
    async pull(controller) {
      if (!first) await between?.();
      first = false;
      const next = iterator.next();
      if (!next.done) controller.enqueue(next.value);
      else if (ending === "close") controller.close();
      else controller.error(new TypeError("terminated"));
    },
  };
  return new ReadableStream(source, { highWaterMark: 0 });
}
