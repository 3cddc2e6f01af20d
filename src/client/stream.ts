/** An open answer as its caller holds it: read once, as events, as text, or not at all. */
import type { AttemptRun } from "../attempt/attempt.ts";
import type { Piece } from "../attempt/intake.ts";
import { attemptRecord } from "../attempt/snapshot.ts";
import { Deferred } from "../base/deferred.ts";
import type { StreamEvent } from "../protocol/protocol.ts";
import type { CallRun } from "../route/run.ts";
import type { Timing } from "../timing/timing.ts";
import { IncompleteTurnError } from "../turn/errors.ts";
import type { Attempt } from "../turn/record.ts";
import type { Turn } from "../turn/turn.ts";
import { callTiming, callTurn } from "./answer.ts";
import { Iteration, type Source } from "./iteration.ts";

/**
 * An open answer: at least one output has arrived and no other endpoint will be tried.
 * Read it once, in one of three ways: `for await`, `textStream()`, or nothing (`text()` and `turn()` drain it).
 * A second iteration throws.
 */
export interface TurnStream extends AsyncIterable<StreamEvent> {
  /** Text only. Throws `IncompleteTurnError` after the last piece if the turn ended incomplete, as `for await` does. */
  textStream(): AsyncIterable<string>;
  /** The whole text. Rejects with `IncompleteTurnError`. May be awaited beside an iteration. */
  text(): Promise<string>;
  /** Never rejects. May be awaited beside an iteration. */
  turn(): Promise<Turn>;
  /** Stop: closes the connection now; the turn ends `incomplete` with reason `"aborted"`. `break` does the same. */
  cancel(reason?: unknown): void;
  /** Resolves, never rejects, when the connection has been released: for `waitUntil`. */
  readonly closed: Promise<void>;

  readonly callId: string;
  /** Who answers. */
  readonly endpoint: string;
  readonly model: string | null;
  /** Live. */
  readonly timing: Timing;
  /** Failed ones first, the one that answers last. */
  readonly attempts: readonly Attempt[];
}

/** The turn of a call that was served, composed once. */
export function turnOfRun(run: CallRun): Turn {
  run.turn ??= callTurn(run);
  return run.turn;
}

export function createTurnStream(run: CallRun): TurnStream {
  return new AnswerStream(run);
}

class AnswerStream implements TurnStream {
  readonly #run: CallRun;
  #iterating: Deferred | null = null;
  #drained = false;
  #turn: Promise<Turn> | null = null;

  constructor(run: CallRun) {
    this.#run = run;
  }

  get callId(): string {
    return this.#run.call.info.callId;
  }
  get endpoint(): string {
    return this.#serving.setup.info.endpoint;
  }
  get model(): string | null {
    return this.#serving.inspector?.answer.assembler.model ?? this.#serving.setup.info.model;
  }
  get timing(): Timing {
    return callTiming(this.#run);
  }
  get attempts(): readonly Attempt[] {
    const others = this.#run.attempts.filter((attempt) => attempt !== this.#serving);
    return [...others, this.#serving].map(attemptRecord);
  }
  get closed(): Promise<void> {
    return this.#serving.released;
  }

  [Symbol.asyncIterator](): AsyncIterator<StreamEvent, undefined> {
    return this.#iterate((piece) => piece as StreamEvent);
  }

  textStream(): AsyncIterable<string> {
    const iterate = () => this.#iterate(textOf);
    return { [Symbol.asyncIterator]: iterate };
  }

  turn(): Promise<Turn> {
    if (this.#iterating === null) this.#drain();
    const { ended } = this.#run;
    this.#turn ??= (this.#iterating?.promise ?? ended).then(() => ended).then(() => turnOfRun(this.#run));
    return this.#turn;
  }

  async text(): Promise<string> {
    const turn = await this.turn();
    if (turn.status === "incomplete") throw new IncompleteTurnError(turn);
    return turn.text;
  }

  cancel(reason?: unknown): void {
    this.#run.abort(reason);
  }

  get #serving() {
    const { serving } = this.#run;
    if (serving === null) throw new Error("nobody serves");
    return serving;
  }

  /** Whoever asks for the whole answer without an iteration is its consumer. */
  #drain(): void {
    this.#drained = true;
    this.#serving.discard();
  }

  #iterate<Item>(select: (piece: Piece) => Item | undefined): AsyncIterator<Item, undefined> {
    if (this.#iterating !== null || this.#drained) {
      const error = new TypeError("the answer has been read already: a stream is iterated once");
      throw Object.assign(error, { code: "stream_already_consumed" });
    }
    this.#iterating = new Deferred();
    return new Iteration(new AnswerSource(this.#run, this.#serving, this.#iterating), select);
  }
}

/**
 * A class, for an object literal with a getter has a hidden class of its own each time: the engine keeps what it closes
 * over, the whole call, until the next full collection, and code that reads it is never fast.
 */
class AnswerSource implements Source {
  readonly #run: CallRun;
  readonly #serving: AttemptRun;
  readonly #over: Deferred;

  constructor(run: CallRun, serving: AttemptRun, over: Deferred) {
    this.#run = run;
    this.#serving = serving;
    this.#over = over;
  }

  get over(): boolean {
    return this.#run.over;
  }
  take(): Piece | undefined {
    return this.#serving.take();
  }
  whenReady(run: () => void): void {
    this.#serving.outlet?.whenReady(run);
  }
  error(): Error | null {
    if (this.#serving.outcome === "complete") return null;
    const turn = turnOfRun(this.#run);
    return turn.status === "incomplete" ? new IncompleteTurnError(turn) : null;
  }
  left(): void {
    this.#run.abort(undefined);
  }
  done(): void {
    this.#over.resolve();
  }
}

function textOf(piece: Piece): string | undefined {
  const event = piece as StreamEvent;
  return event.type === "text" && event.text !== "" ? event.text : undefined;
}
