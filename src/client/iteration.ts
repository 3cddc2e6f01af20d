/** Pulls an open answer piece by piece. Hand-written: what an async generator does on an early `return()` is too late. */
import type { Piece } from "../attempt/intake.ts";

/** What is iterated over. */
export interface Source {
  /** The next piece, if there is one now. */
  take(): Piece | undefined;
  /** Nothing further will come. */
  readonly over: boolean;
  /** Runs once, when there may be a piece or the end. */
  whenReady(run: () => void): void;
  /** What is thrown after the last piece; `null` for a whole answer. */
  error(): Error | null;
  /** The consumer has left. */
  left(): void;
  /** The iteration is over, whichever way. */
  done(): void;
}

interface Waiting<Item> {
  readonly resolve: (result: IteratorResult<Item, undefined>) => void;
  readonly reject: (error: Error) => void;
}

const DONE = { done: true, value: undefined } as const;

/** `select` picks what the consumer wants of a piece; `undefined` = nothing of it. */
export class Iteration<Item> implements AsyncIterableIterator<Item, undefined> {
  readonly #source: Source;
  readonly #select: (piece: Piece) => Item | undefined;
  /** Whoever waits first, and, rarely, others behind. */
  #first: Waiting<Item> | null = null;
  readonly #others: Waiting<Item>[] = [];
  #over = false;

  constructor(source: Source, select: (piece: Piece) => Item | undefined) {
    this.#source = source;
    this.#select = select;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Item, undefined>> {
    if (this.#over) return Promise.resolve(DONE);
    const item = this.#first === null ? this.#take() : undefined;
    if (item !== undefined) return Promise.resolve({ done: false, value: item });
    return new Promise((resolve, reject) => {
      const waiting = { resolve, reject };
      if (this.#first !== null) this.#others.push(waiting);
      else {
        this.#first = waiting;
        if (this.#source.over) this.#serve();
        else this.#source.whenReady(this.#serve);
      }
    });
  }

  /** Leaving early: the connection is closed now, and whoever still waits gets the end. */
  return(): Promise<IteratorResult<Item, undefined>> {
    if (!this.#over) {
      this.#source.left();
      this.#end();
    }
    return Promise.resolve(DONE);
  }

  #take(): Item | undefined {
    for (let piece = this.#source.take(); piece !== undefined; piece = this.#source.take()) {
      const item = this.#select(piece);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  readonly #serve = (): void => {
    while (this.#first !== null) {
      const item = this.#take();
      if (item !== undefined) {
        const { resolve } = this.#first;
        this.#first = this.#others.shift() ?? null;
        resolve({ done: false, value: item });
      } else if (this.#source.over) return this.#end(this.#source.error());
      else return this.#source.whenReady(this.#serve);
    }
  };

  /** The error goes to whoever waits first; everybody else gets the end. */
  #end(error: Error | null = null): void {
    this.#over = true;
    const first = this.#first;
    this.#first = null;
    if (error) first?.reject(error);
    else first?.resolve(DONE);
    for (const other of this.#others.splice(0)) other.resolve(DONE);
    this.#source.done();
  }
}
