/** A response body that is filled at the server's pace and read at the client's: what was written before a reset still arrives. */

/** Exactly one of them is called, once. */
interface Listener {
  /** The client has read everything, the end included. */
  readonly finished: () => void;
  readonly cancelled: () => void;
}

export class ScriptedBody {
  readonly stream: ReadableStream<Uint8Array>;
  readonly #queue: Uint8Array[] = [];
  readonly #listener: Listener;
  #controller!: ReadableStreamDefaultController<Uint8Array>;
  #ending: "clean" | "reset" | null = null;
  #settled = false;
  #wake = () => {};

  constructor(listener: Listener) {
    this.#listener = listener;
    this.stream = new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: () => this.#pull(),
        cancel: () => this.#settle(listener.cancelled),
      },
      { highWaterMark: 0 },
    );
  }

  push(bytes: Uint8Array): void {
    this.#queue.push(bytes);
    this.#wake();
  }

  end(how: "clean" | "reset"): void {
    this.#ending = how;
    this.#wake();
  }

  /** At once: what was not read yet is lost, as it is when a fetch is aborted. */
  fail(reason: unknown): void {
    if (this.#settled) return;
    this.#settle(() => this.#controller.error(reason));
  }

  async #pull(): Promise<void> {
    while (!this.#settled) {
      const next = this.#queue.shift();
      // A copy: whoever reads may transfer the buffer, and slices share one.
      if (next !== undefined) return this.#controller.enqueue(next.slice());
      if (this.#ending !== null) return this.#finish(this.#ending);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #finish(ending: "clean" | "reset"): void {
    this.#settle(this.#listener.finished);
    if (ending === "clean") this.#controller.close();
    else this.#controller.error(terminated());
  }

  #settle(then: () => void): void {
    this.#settled = true;
    this.#queue.length = 0;
    this.#wake();
    then();
  }
}

/** As undici reports them. */
const terminated = (): TypeError =>
  new TypeError("terminated", {
    cause: Object.assign(new Error("other side closed"), { name: "SocketError", code: "UND_ERR_SOCKET" }),
  });

export const refused = (): TypeError =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED 127.0.0.1"), { code: "ECONNREFUSED", syscall: "connect" }),
  });
