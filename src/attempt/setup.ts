/** What an attempt is started with, and whom it tells. */
import type { Clock } from "../base/clock.ts";
import type { Ticket } from "../policy/ticket.ts";
import type { Protocol } from "../protocol/protocol.ts";
import type { WatchLimits } from "../timing/due.ts";
import type { AttemptInfo, Observer } from "../turn/observer.ts";
import type { VerdictRules } from "../turn/verdict.ts";
import type { ResolvedBounds, ResolvedGate } from "./bounds.ts";
import type { Preparation } from "./request.ts";

export interface AttemptSetup<Run> {
  readonly clock: Clock;
  readonly info: AttemptInfo;
  readonly backoffMs: number;
  readonly observer: Observer | null;
  /** Tells the health of its endpoint what becomes of it. */
  readonly ticket: Ticket;
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
  /** What a foreign caller gave to `fetch` beside what we set. */
  readonly extraInit: object;
  /** Builds the request; that it cannot is a `configuration` failure of the attempt. */
  readonly prepare: (signal: AbortSignal) => Preparation | Promise<Preparation>;
  readonly events: AttemptEvents<Run>;
}

/** `gateOpened` and `attemptEnded` are called once at most, in this order. */
export interface AttemptEvents<Run> {
  /** For so long nothing could run. */
  suspended(ms: number): void;
  gateOpened(attempt: Run): void;
  attemptEnded(attempt: Run): void;
}
