/**
 * One try at one endpoint, from the request to its end: held until first output, then open, then over. Whoever ends it
 * records why first; what comes after that changes nothing. Comes after `route/run.ts`, before `connect.ts` and `read.ts`.
 */
import type { Clock } from "../base/clock.ts";
import type { Failure, FailureReason, Outcome } from "../base/failure.ts";
import type { Protocol } from "../protocol/protocol.ts";
import { Timeline } from "../timing/timeline.ts";
import { type LimitName, Watch, type WatchLimits } from "../timing/watch.ts";
import type { AttemptInfo, Observer } from "../turn/observer.ts";
import { type Attempt, withoutWords } from "../turn/record.ts";
import { type AnswerFacts, judge, type Verdict, type VerdictRules } from "../turn/verdict.ts";
import type { ResolvedBounds, ResolvedGate } from "./bounds.ts";
import { type Connecting, connect } from "./connect.ts";
import { type FailureDetails, failureOf } from "./failures.ts";
import { gateOpens } from "./gate.ts";
import { Inspector } from "./inspector.ts";
import { Intake, type IntakeOwner, type Piece } from "./intake.ts";
import { Outlet } from "./outlet.ts";
import { type BodyReader, readBody, readRest } from "./read.ts";
import { type Preparation, type PreparedRequest, sentValues } from "./request.ts";
import { type Answered, mediaTypeOf, readWhole, requestIdOf } from "./response.ts";

/** What follows the terminal event is read so far and so long, so that the connection can be used again. */
const DRAIN_BYTES = 16 * 1024;
const DRAIN_MS = 50;

/** No response came. */
const NOTHING: AnswerFacts = {
  signal: false,
  ended: false,
  stopReason: null,
  rawStopReason: null,
  anything: false,
  content: false,
};

const EXPIRED = {
  connect: "timeout_connect",
  first_token: "timeout_first_token",
  idle: "timeout_idle",
  stall: "timeout_stall",
  gate: "timeout_gate",
  total: "timeout_total",
  consumer: "timeout_consumer",
  detail: "provider_error",
} as const satisfies Record<LimitName, FailureReason>;

export interface AttemptSetup {
  readonly clock: Clock;
  readonly info: AttemptInfo;
  readonly backoffMs: number;
  readonly observer: Observer | null;
  readonly protocol: Protocol;
  readonly refusalCodes: readonly string[];
  readonly requestIdHeader: string | null;
  readonly limits: WatchLimits;
  readonly gate: ResolvedGate;
  readonly bounds: ResolvedBounds;
  readonly rules: VerdictRules;
  readonly collect: boolean;
  /** In which shape the answer is handed on. */
  readonly form: "events" | "bytes" | "nothing";
  readonly fetch: (input: string, init: RequestInit) => Promise<Response>;
  readonly extraInit: object;
  /** Builds the request; that it cannot is a `configuration` failure of the attempt. */
  readonly prepare: (signal: AbortSignal) => Preparation | Promise<Preparation>;
  readonly events: AttemptEvents;
}

/** `gateOpened` and `attemptEnded` are called once at most, in this order. */
export interface AttemptEvents {
  /** Something came from the endpoint. */
  heard(attempt: AttemptRun): void;
  /** For so long nothing could run. */
  suspended(attempt: AttemptRun, ms: number): void;
  gateOpened(attempt: AttemptRun): void;
  attemptEnded(attempt: AttemptRun): void;
}

export class AttemptRun implements IntakeOwner {
  readonly setup: AttemptSetup;
  readonly timeline: Timeline;
  /** What the consumer has not taken yet; `null` if nobody will. */
  readonly outlet: Outlet<Piece> | null;
  /** Resolves when the connection has been released. */
  readonly released: Promise<void>;
  gate: Attempt["gate"] = null;
  outcome: Outcome | "hedge_lost" | null = null;
  verdict: Verdict | null = null;
  failure: Failure | null = null;
  inspector: Inspector | null = null;
  response: Response | null = null;
  /** The error response that ended it. */
  answered: Answered | null = null;
  /** A request has left, as far as can be told. */
  dispatched = false;
  #request: PreparedRequest | null = null;
  #reader: BodyReader | null = null;
  #setReleased!: () => void;
  readonly #controller = new AbortController();
  readonly #watch: Watch;

  constructor(setup: AttemptSetup) {
    this.setup = setup;
    this.timeline = new Timeline(setup.clock.now());
    this.outlet = setup.form === "nothing" ? null : new Outlet();
    this.released = new Promise((resolve) => {
      this.#setReleased = resolve;
    });
    this.#watch = new Watch(setup.clock, setup.limits, {
      expired: (limit, limitMs) => this.end(EXPIRED[limit], { limitMs }),
      graceBegan: () => {
        this.timeline.firstTokenLimitExceeded = true;
      },
      suspended: (ms) => {
        this.timeline.suspendedMs += ms;
        setup.events.suspended(this, ms);
      },
    });
  }

  get over(): boolean {
    return this.outcome !== null;
  }

  /** `false` if one JSON document came, or a body that could not be read as a stream. */
  get streamed(): boolean {
    return this.#reader !== null && this.inspector?.isDocument !== true;
  }

  get requestId(): string | null {
    const headers = this.response?.headers ?? this.answered?.headers;
    return headers ? requestIdOf(headers, this.setup.requestIdHeader) : null;
  }

  /** Never rejects; all that comes of it is told through `events`. */
  async start(): Promise<void> {
    const { setup } = this;
    setup.observer?.attemptStart?.(setup.info);
    let prepared = setup.prepare(this.#controller.signal);
    if (prepared instanceof Promise) prepared = await prepared;
    if (this.over) return;
    if (!prepared.ok) return this.end("configuration", { ...prepared.fault, ownCause: true });
    this.#request = prepared.request;
    const connection = await connect(prepared.request, this.#connecting());
    if (this.over) return;
    if (connection.ok) return this.#receive(connection.response);
    this.answered = connection.answered;
    this.end(connection.reason, connection.details);
  }

  /** Ends it, unless it is over. `null` = by its own end: what was seen decides. */
  end(reason: FailureReason | "hedge_lost" | null, details: FailureDetails = {}, at = this.setup.clock.now()): void {
    if (this.over) return;
    this.timeline.endedAt = at;
    this.#watch.stop();
    if (reason === "hedge_lost") this.outcome = reason;
    else this.#conclude(reason ?? this.inspector?.failure ?? null, details);
    void this.#release(reason === null);
    // A stop button stops: what was not read yet is not wanted any more.
    if (reason === "aborted") this.outlet?.discard();
    const { observer, info, events } = this.setup;
    observer?.attemptEnd?.(info, withoutWords(this.record()));
    events.attemptEnded(this);
    this.outlet?.wake();
  }

  /** Nobody will read it piece by piece. */
  discard(): void {
    this.outlet?.discard();
    if (!this.over) this.#watch.awaitConsumer(Infinity);
  }

  /** The next piece for the consumer, if there is one now. */
  take(): Piece | undefined {
    const piece = this.outlet?.take();
    if (!this.over) this.#watch.awaitConsumer(this.outlet?.empty ? Infinity : this.setup.clock.now());
    return piece;
  }

  /** What is written down of it, now or at its end. */
  record(): Attempt {
    const { setup, timeline, failure } = this;
    const { index, endpoint, kind, startMs } = setup.info;
    return {
      index,
      endpoint,
      kind,
      outcome: this.outcome,
      startMs,
      backoffMs: setup.backoffMs,
      dispatched: this.dispatched,
      status: failure?.status ?? null,
      httpStatus: this.response?.status ?? this.answered?.status ?? null,
      requestId: this.requestId,
      gate: this.gate,
      failure,
      timing: timeline.timing(timeline.startedAt, this.streamed),
    };
  }

  heard(): void {
    this.setup.events.heard(this);
  }

  weigh(at: number): void {
    const { inspector, outlet, timeline, setup } = this;
    if (inspector === null) return;
    if (this.gate === null) {
      const { firstOutputAt, firstContentAt, bytes } = timeline;
      const { providerTool } = inspector;
      const held = { bytes, output: firstOutputAt !== null, content: firstContentAt !== null, providerTool };
      const gate = gateOpens(held, setup.gate);
      if (gate !== null) this.#open(gate);
    }
    if (this.gate !== null && outlet !== null) {
      outlet.flush();
      if (!outlet.empty && !outlet.awaited) this.#watch.awaitConsumer(at);
    }
    if (inspector.settled) this.end(null, {}, at);
  }

  #open(gate: "opened" | "overflow"): void {
    this.gate = gate;
    this.#watch.held = false;
    this.setup.events.gateOpened(this);
  }

  #connecting(): Connecting {
    const { clock, observer, info, limits, bounds, fetch, extraInit } = this.setup;
    const silenceMs = Math.max(limits.firstTokenMs + limits.graceMs, limits.idleMs);
    const { timeline } = this;
    this.dispatched = true;
    return {
      clock,
      fetch,
      signal: this.#controller.signal,
      observer,
      info,
      silenceMs,
      maxErrorBytes: bounds.maxErrorBytes,
      extraInit,
      onVisible: () => {
        if (!this.over && timeline.connectedAt === null) this.#watch.awaitConnection(timeline.startedAt);
      },
      onConnected: () => {
        timeline.connectedAt ??= clock.now();
        this.#watch.connectFrom = Infinity;
      },
      onHeaders: () => {
        timeline.headersAt = clock.now();
        this.heard();
      },
    };
  }

  async #receive(response: Response): Promise<void> {
    const { clock, protocol, bounds, collect, form, observer, info } = this.setup;
    const { timeline, outlet } = this;
    this.response = response;
    const onEvent = form === "events" ? (event: Piece) => outlet?.push(event) : null;
    const contentType = response.headers.get("content-type");
    const inspector = new Inspector({ protocol, timeline, contentType, collect, onEvent, ...bounds });
    this.inspector = inspector;
    const now = () => clock.now();
    const intake = new Intake({
      inspector,
      timeline,
      watch: this.#watch,
      outlet,
      keepsBytes: form === "bytes",
      observer,
      info,
      now,
      owner: this,
    });
    this.weigh(now());
    if (this.over) return;
    if (!response.body) return readWhole(response, clock, intake);
    this.#reader = response.body.getReader();
    await readBody(this.#reader, clock, intake);
  }

  /** Judges the answer, fixes outcome and failure, and opens the gate for an end that is an answer. */
  #conclude(failed: FailureReason | null, details: FailureDetails): void {
    const { inspector, setup } = this;
    const facts = inspector?.facts ?? NOTHING;
    const verdict = judge(facts, failed, setup.rules);
    this.verdict = verdict;
    if (verdict.status === "incomplete" && !verdict.terminal) {
      this.failure = this.#failure(verdict.reason, details);
    }
    this.outcome = verdict.status === "complete" ? "complete" : (this.failure?.reason ?? verdict.reason);
    if (this.gate === null) {
      if (this.failure === null) this.#open("opened");
      else this.gate = "failed";
    }
  }

  #failure(reason: FailureReason, details: FailureDetails): Failure {
    const { inspector, response } = this;
    const request = this.#request;
    const rawStopReason = inspector?.assembler.rawStopReason ?? null;
    const named = rawStopReason === null ? null : { code: rawStopReason, type: null, message: "" };
    const seen = response && {
      httpStatus: response.status,
      contentType: mediaTypeOf(response.headers),
      rawStopReason,
      providerError: inspector?.providerError ?? (reason === "provider_error" ? named : null),
    };
    return failureOf(
      reason,
      { ...seen, ...details },
      {
        values: request ? sentValues(request.url, request.headers) : [],
        body: request?.body ?? "",
        refusalCodes: this.setup.refusalCodes,
      },
    );
  }

  /** Lets the connection go: at once, or after a terminal event with a short drain so that it can be used again. */
  async #release(byItself: boolean): Promise<void> {
    const reader = this.#reader;
    const drained =
      byItself && this.failure === null && reader !== null
        ? (await readRest(reader, this.setup.clock, DRAIN_BYTES, DRAIN_MS)).ended
        : false;
    if (!drained) {
      this.#controller.abort();
      reader?.cancel().catch(() => {});
    }
    this.#setReleased();
  }
}
