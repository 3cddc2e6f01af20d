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

type Resolve<Item> = (result: IteratorResult<Item, undefined>) => void;
type Reject = (error: Error) => void;
type Waiting<Item> = readonly [resolve: Resolve<Item>, reject: Reject];

const DONE = { done: true, value: undefined } as const;
const NOBODY = [null, null] as const;

/** `select` picks what the consumer wants of a piece; `undefined` = nothing of it. */
export class Iteration<Item> implements AsyncIterableIterator<Item, undefined> {
  readonly #source: Source;
  readonly #select: (piece: Piece) => Item | undefined;
  /** Whoever waits first, in two fields since it waits for every piece; and, rarely, others behind. */
  #resolve: Resolve<Item> | null = null;
  #reject: Reject | null = null;
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
    const item = this.#resolve === null ? this.#take() : undefined;
    return item === undefined ? new Promise(this.#wait) : Promise.resolve({ done: false, value: item });
  }

  /** Leaving early: the connection is closed now, and whoever still waits gets the end. */
  return(): Promise<IteratorResult<Item, undefined>> {
    if (!this.#over) {
      // In this order: what closing wakes would find whoever waits, and give them an error that nobody asked for.
      this.#end();
      this.#source.left();
    }
    return Promise.resolve(DONE);
  }

  /** One function for every wait: this is the hot path. */
  readonly #wait = (resolve: Resolve<Item>, reject: Reject): void => {
    if (this.#resolve !== null) return void this.#others.push([resolve, reject]);
    this.#resolve = resolve;
    this.#reject = reject;
    if (this.#source.over) this.#serve();
    else this.#source.whenReady(this.#serve);
  };

  #take(): Item | undefined {
    for (let piece = this.#source.take(); piece !== undefined; piece = this.#source.take()) {
      const item = this.#select(piece);
      if (item !== undefined) return item;
    }
    return undefined;
  }

  readonly #serve = (): void => {
    for (let resolve = this.#resolve; resolve !== null; resolve = this.#resolve) {
      const item = this.#take();
      if (item !== undefined) {
        [this.#resolve, this.#reject] = this.#others.shift() ?? NOBODY;
        resolve({ done: false, value: item });
      } else if (this.#source.over) this.#end(this.#source.error());
      else return this.#source.whenReady(this.#serve);
    }
  };

  /** The error goes to whoever waits first; everybody else gets the end. */
  #end(error: Error | null = null): void {
    this.#over = true;
    if (error !== null) this.#reject?.(error);
    else this.#resolve?.(DONE);
    this.#resolve = null;
    for (const [resolve] of this.#others.splice(0)) resolve(DONE);
    this.#source.done();
  }
}
