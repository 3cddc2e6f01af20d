/** Plays acts on a stage, in time: the one loop behind the in-memory fetch and the socket. */
import type { Clock } from "../base/clock.ts";
import type { Act } from "./play.ts";
import type { RequestEntry } from "./request-log.ts";
import type { Ending } from "./script.ts";

/** Where acts become a response. A promise from `write` is back-pressure. */
export interface Stage {
  head(status: number, headers: Readonly<Record<string, string>>): void;
  write(bytes: Uint8Array): undefined | Promise<void>;
  end(how: Ending): void;
}

export interface PerformanceOptions {
  readonly clock: Clock;
  /** Every write in slices of so many bytes; `Infinity`: whole. */
  readonly chunkBytes: number;
  readonly entry: RequestEntry;
}

export class Performance {
  readonly #options: PerformanceOptions;
  #stopped = false;
  #cancelWait = () => {};

  constructor(options: PerformanceOptions) {
    this.#options = options;
  }

  /** Up to the first wait it runs at once. Resolves when the script is over; never, once stopped in a wait. */
  async run(acts: Iterable<Act>, stage: Stage): Promise<void> {
    for (const act of acts) {
      if (act.type === "head") stage.head(act.status, act.headers);
      else if (act.type === "wait") await this.#wait(act.ms);
      else if (act.type === "write") await this.#write(act.bytes, stage);
      else stage.end(act.how);
      if (this.#stopped) return;
    }
  }

  /** Nothing is written any more and no timer is left. */
  stop(): void {
    this.#stopped = true;
    this.#cancelWait();
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#cancelWait = this.#options.clock.after(ms, resolve);
    });
  }

  async #write(bytes: Uint8Array, stage: Stage): Promise<void> {
    const { clock, chunkBytes, entry } = this.#options;
    for (let at = 0; at < bytes.length && !this.#stopped; at += chunkBytes) {
      const slice = bytes.subarray(at, at + chunkBytes);
      entry.wrote(clock, slice.length);
      const pressure = stage.write(slice);
      if (pressure) await pressure;
    }
  }
}

/** @throws TypeError */
export function checkChunkBytes(value: number | undefined): number {
  if (value === undefined) return Infinity;
  if (Number.isInteger(value) && value > 0) return value;
  throw new TypeError(`chunkBytes takes a whole number ≥ 1, got ${String(value)}`);
}
