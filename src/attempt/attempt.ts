/**
 * One try at one endpoint, from the request to its end: held until first output, then open, then over. Whoever ends it
 * records why first; what comes after that changes nothing. Comes after `route/run.ts`, before `connect.ts` and `read.ts`.
 */
import { Deferred } from "../base/deferred.ts";
import type { Failure, FailureReason, Outcome } from "../base/failure.ts";
import type { LimitName } from "../timing/due.ts";
import { Timeline } from "../timing/timeline.ts";
import { Watch, type WatchEvents } from "../timing/watch.ts";
import { type Attempt, withoutWords } from "../turn/record.ts";
import { judge, NOTHING_SEEN, type Verdict } from "../turn/verdict.ts";
import { connect } from "./connect.ts";
import { EXPIRED, type FailureDetails } from "./failures.ts";
import { gateOpens, heldOf } from "./gate.ts";
import type { Inspector } from "./inspector.ts";
import { Intake, type IntakeOwner, type Piece } from "./intake.ts";
import { Milestones } from "./milestones.ts";
import { Outlet } from "./outlet.ts";
import { type BodyReader, readBody } from "./read.ts";
import { letGo, release } from "./release.ts";
import type { PreparedRequest } from "./request.ts";
import { type Answered, readWhole } from "./response.ts";
import type { AttemptSetup } from "./setup.ts";
import { attemptRecord, failureSeen, type Observed } from "./snapshot.ts";

export class AttemptRun implements IntakeOwner, WatchEvents, Observed {
  readonly setup: AttemptSetup<AttemptRun>;
  readonly timeline: Timeline;
  readonly watch: Watch;
  /** What the consumer has not taken yet; `null` if nobody will. */
  readonly outlet: Outlet<Piece> | null;
  gate: Attempt["gate"] = null;
  outcome: Outcome | "hedge_lost" | null = null;
  verdict: Verdict | null = null;
  failure: Failure | null = null;
  /** What was received; `null` before the headers. */
  inspector: Inspector | null = null;
  response: Response | null = null;
  /** The error response that ended it. */
  answered: Answered | null = null;
  /** What was sent. */
  request: PreparedRequest | null = null;
  #reader: BodyReader | null = null;
  readonly #released = new Deferred();
  readonly #controller = new AbortController();

  constructor(setup: AttemptSetup<AttemptRun>) {
    this.setup = setup;
    this.timeline = new Timeline(setup.clock.now());
    this.outlet = setup.form === "nothing" ? null : new Outlet();
    this.watch = new Watch(setup.clock, setup.limits, this, this.timeline.startedAt);
  }

  /** Resolves when the connection has been released. */
  get released(): Promise<void> {
    return this.#released.promise;
  }

  get over(): boolean {
    return this.outcome !== null;
  }

  /** `false` if one JSON document came, or a body that could not be read as a stream. */
  get streamed(): boolean {
    return this.#reader !== null && this.inspector?.isDocument !== true;
  }

  /** All that comes of it is told through `events`; so is what nobody foresaw: a locked body, a response without headers. */
  start(): void {
    this.#run().catch((error) => this.end(this.response ? "connection_lost" : "connection_failed", { cause: error }));
  }

  async #run(): Promise<void> {
    const { setup } = this;
    setup.observer?.attemptStart?.(setup.info);
    let prepared = setup.prepare(this.#controller.signal);
    if (prepared instanceof Promise) {
      this.watch.arm();
      prepared = await prepared;
    }
    if (this.over) return;
    if (!prepared.ok)
      return this.end("configuration", { message: prepared.fault?.message, ownCause: prepared.fault?.cause });
    this.request = prepared.request;
    const milestones = new Milestones(setup.clock, this.timeline, this.watch, setup.ticket);
    const connecting = connect(prepared.request, setup, this.#controller.signal, milestones);
    // The request has left: what is made now is no part of the time to the first token.
    this.watch.arm();
    const intake = new Intake(this);
    const connection = await connecting;
    if (this.over) return void (connection.ok && letGo(connection.response.body));
    if (connection.ok) return this.#receive(connection.response, intake);
    this.answered = connection.answered;
    this.end(connection.reason, connection.details);
  }

  /** Ends it, unless it is over. `null` = by its own end: what was seen decides. */
  end(reason: FailureReason | "hedge_lost" | null, details: FailureDetails = {}, at = this.setup.clock.now()): void {
    if (this.over) return;
    this.timeline.endedAt = at;
    this.watch.stop();
    if (reason === "hedge_lost") this.outcome = reason;
    else this.#conclude(reason ?? this.inspector?.answer.failure ?? null, details);
    const drains = reason === null && this.failure === null;
    void release(this.#reader, this.#controller, this.setup.clock, drains).then(() => this.#released.resolve());
    // A stop button stops: what was not read yet is not wanted any more.
    if (reason === "aborted") this.outlet?.discard();
    const { observer, info, events } = this.setup;
    observer?.attemptEnd?.(info, withoutWords(attemptRecord(this)));
    this.#closeTicket(at);
    events.attemptEnded(this);
    this.outlet?.wake();
  }

  /** Nobody will read it piece by piece. */
  discard(): void {
    this.outlet?.discard();
    if (!this.over) this.watch.awaitConsumer(Infinity);
  }

  /** The next piece for the consumer, if there is one now. */
  take(): Piece | undefined {
    const piece = this.outlet?.take();
    if (this.over) return piece;
    if (this.outlet?.empty) this.watch.awaitConsumer(Infinity);
    else this.watch.consumerTook();
    return piece;
  }

  // ── what the limits report ──

  expired(limit: LimitName, limitMs: number): void {
    this.end(EXPIRED[limit], { limitMs });
  }

  graceBegan(): void {
    this.timeline.firstTokenLimitExceeded = true;
  }

  suspended(ms: number): void {
    this.timeline.suspendedMs += ms;
    this.setup.events.suspended(ms);
  }

  // ── what the receiving side reports ──

  weigh(at: number): void {
    const { inspector, outlet, timeline, setup } = this;
    if (inspector === null) return;
    if (this.gate === null) {
      const gate = gateOpens(heldOf(timeline, inspector.answer), setup.gate);
      if (gate !== null) this.#open(gate);
    }
    if (this.gate !== null && outlet !== null) {
      outlet.flush();
      // What comes on top of what lies ready does not begin the wait again.
      const isNews = this.watch.consumerFrom === Infinity;
      if (isNews && !outlet.empty && !outlet.awaited) this.watch.awaitConsumer(at);
    }
    if (inspector.answer.settled) this.end(null, {}, at);
  }

  #open(gate: "opened" | "overflow"): void {
    this.gate = gate;
    this.watch.held = false;
    this.setup.ticket.opened(this.setup.clock.now());
    this.setup.events.gateOpened(this);
  }

  /** Neither way of reading ever rejects, so that nobody waits for it. */
  #receive(response: Response, intake: Intake): void {
    const { clock } = this.setup;
    const contentType = response.headers.get("content-type");
    this.response = response;
    this.inspector = intake.inspector;
    this.inspector.start(contentType);
    this.weigh(clock.now());
    if (this.over) return void letGo(response.body);
    if (!response.body) return void readWhole(response, clock, intake);
    this.#reader = response.body.getReader();
    void readBody(this.#reader, clock, intake);
  }

  /** Its place is given back, whatever it came to. */
  #closeTicket(at: number): void {
    const { ticket } = this.setup;
    if (this.outcome === "hedge_lost") ticket.lost(at);
    else if (this.failure !== null) ticket.failed(this.failure, at);
    else ticket.released();
  }

  /** Judges the answer, fixes outcome and failure, and opens the gate for an end that is an answer. */
  #conclude(failed: FailureReason | null, details: FailureDetails): void {
    const { inspector, setup } = this;
    const facts = inspector?.answer.facts ?? NOTHING_SEEN;
    const verdict = judge(facts, failed, setup.rules);
    this.verdict = verdict;
    if (verdict.status === "incomplete" && !verdict.terminal) {
      this.failure = failureSeen(verdict.reason, details, this);
    }
    this.outcome = verdict.status === "complete" ? "complete" : (this.failure?.reason ?? verdict.reason);
    if (this.gate === null) {
      if (this.failure === null) this.#open("opened");
      else this.gate = "failed";
    }
  }
}
