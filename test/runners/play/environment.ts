/** The world a case runs in: globals that jump or are missing, and put back afterwards; clocks; the base `fetch`. */
import type { Clock } from "../../../src/index.ts";
import type { Environment } from "../format.ts";
import type { Stub } from "../stub/script.ts";

/** Undoes in reverse order what was done. */
export class Undo {
  readonly #steps: (() => void)[] = [];
  /** Replaces a property and remembers what stood there. `undefined` removes it. */
  set(target: object, key: PropertyKey, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(target, key);
    if (value === undefined) Reflect.deleteProperty(target, key);
    else Object.defineProperty(target, key, { value, configurable: true, writable: true });
    this.#steps.push(() => (before ? Object.defineProperty(target, key, before) : Reflect.deleteProperty(target, key)));
  }
  all(): void {
    for (const step of this.#steps.splice(0).reverse()) step();
  }
}

/** What of the world is global; the rest is in the clock and the base `fetch`. */
export function enter(env: Environment, stub: Stub, undo: Undo): void {
  if (env.noAbortSignalAny) undo.set(AbortSignal, "any", undefined);
  if (env.noAbortSignalTimeout) undo.set(AbortSignal, "timeout", undefined);
  // Node's own fetch iterates request bodies, so over a socket only the response's body loses its iterator.
  if (env.noStreamAsyncIterator && stub.fetch) {
    undo.set(ReadableStream.prototype, Symbol.asyncIterator, undefined);
    undo.set(ReadableStream.prototype, "values", undefined);
  }
}

/** A browser-like page whose visibility can be changed. */
export class Page extends EventTarget {
  visibilityState: "hidden" | "visible" = "visible";
  get hidden(): boolean {
    return this.visibilityState === "hidden";
  }
  /** One `visibilitychange` for each state. */
  pass(states: readonly ("hidden" | "visible")[]): void {
    for (const state of states) {
      this.visibilityState = state;
      this.dispatchEvent(new Event("visibilitychange"));
    }
  }
}

const longestTimerMs = 2 ** 31 - 1;

const plainClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  after(ms, run) {
    if (ms > longestTimerMs) return () => {};
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/** A clock of the case's own, or none: then the library's is the one that is tried. */
export class CaseClock implements Clock {
  readonly #slowness: number;
  readonly #pending = new Set<object>();
  #frozenAt: number | null;
  constructor(env: Environment) {
    this.#slowness = env.timers === "late10x" ? 10 : 1;
    this.#frozenAt = env.clock === "frozenBetweenIo" ? plainClock.now() : null;
  }
  get pending(): number {
    return this.#pending.size;
  }
  /** A read has resolved. */
  thaw(): void {
    if (this.#frozenAt !== null) this.#frozenAt = plainClock.now();
  }
  now(): number {
    return this.#frozenAt ?? plainClock.now();
  }
  wallNow(): number {
    return plainClock.wallNow();
  }
  after(ms: number, run: () => void): () => void {
    const timer = {};
    this.#pending.add(timer);
    const cancel = plainClock.after(ms * this.#slowness, () => {
      this.#pending.delete(timer);
      run();
    });
    return () => {
      this.#pending.delete(timer);
      cancel();
    };
  }
}
