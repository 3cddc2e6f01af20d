/**
 * One call along its chain of endpoints: who is tried, what follows a failure, who serves. Driven by what its attempts
 * report and by its own waits. Comes after the façades in `client/`, before `attempt/attempt.ts`.
 */
import type { AttemptRun } from "../attempt/attempt.ts";
import { failureOf } from "../attempt/failures.ts";
import type { AttemptEvents } from "../attempt/setup.ts";
import { Deferred } from "../base/deferred.ts";
import type { Failure, Outcome } from "../base/failure.ts";
import { onAbort } from "../base/on-abort.ts";
import type { CallHealth } from "../policy/call-health.ts";
import type { Decision } from "../policy/options.ts";
import type { AttemptKind } from "../turn/record.ts";
import type { Turn } from "../turn/turn.ts";
import type { Call } from "./call.ts";
import type { ResolvedEndpoint } from "./endpoint.ts";
import { HedgeTimer } from "./hedge.ts";
import { createAttempt } from "./launch.ts";
import { remainingMsOf } from "./limits.ts";
import { nextStep } from "./next.ts";
import { Progress } from "./progress.ts";
import { Warnings } from "./warnings.ts";

export class CallRun implements AttemptEvents<AttemptRun> {
  readonly call: Call;
  readonly startedWallAt: number;
  attempts: readonly AttemptRun[] = [];
  readonly progress: Progress;
  /** Whose answer the caller gets; set when its gate opens. */
  serving: AttemptRun | null = null;
  /** `null` while it runs. */
  outcome: Outcome | null = null;
  /** Why nobody serves, or why the answer that began is not whole. */
  failure: Failure | null = null;
  budgetExhausted = false;
  endedAt: number | null = null;
  /** What it came to, once a façade has composed it. */
  turn: Turn | null = null;
  readonly #opened = new Deferred<boolean>();
  readonly #ended = new Deferred();
  readonly #onEnd: (run: CallRun) => void;
  readonly #health: CallHealth;
  readonly #hedge: HedgeTimer;
  readonly #warnings: Warnings;
  #cancelBackoff: (() => void) | null = null;
  #stopListening: (() => void) | null = null;
  #mayRetry = true;

  /** `onEnd` is called once, synchronously, when all is known. */
  constructor(call: Call, onEnd: (run: CallRun) => void) {
    this.call = call;
    this.#onEnd = onEnd;
    this.startedWallAt = call.clock.wallNow();
    const { breaker, retryBudget, random, observer } = call;
    const onChange = observer?.breaker?.bind(observer) ?? (() => {});
    this.#health = call.health.callStarted(call.startedAt, { breaker, retryBudget, random, onChange });
    this.#warnings = new Warnings(observer);
    this.#hedge = new HedgeTimer(call, this.#health, this.#warnings, () => this.#moveOn("hedge"));
    call.observer?.callStart?.(call.info);
    this.progress = new Progress(call, this.#health);
  }

  get over(): boolean {
    return this.outcome !== null;
  }
  /** True once somebody serves, false if nobody will. */
  get opened(): Promise<boolean> {
    return this.#opened.promise;
  }
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  start(): void {
    const { signal, clock } = this.call;
    if (signal?.aborted) return this.abort(signal.reason);
    if (signal) this.#stopListening = onAbort(signal, this.#onAbort);
    const usable = this.progress.next(clock.now());
    // With every breaker open this attempt is a guess, and it gets no second one.
    this.#mayRetry = usable !== null;
    const endpoint = usable ?? this.progress.lastResort();
    if (endpoint === null) this.#finish(failureOf("no_endpoint", {}));
    else this.#begin(endpoint, "initial", 0);
  }

  /** The caller ends it: a signal, `break`, `cancel()`. */
  abort(reason: unknown): void {
    if (this.over) return;
    const details = { ownCause: reason };
    for (const attempt of this.attempts) attempt.end("aborted", details);
    if (!this.over) this.#finish(failureOf("aborted", details));
  }

  // ── what its attempts report ──

  suspended(ms: number): void {
    this.#health.suspended(ms);
  }

  gateOpened(attempt: AttemptRun): void {
    this.serving = attempt;
    this.#stopWaiting();
    for (const other of this.attempts) if (other !== attempt) other.end("hedge_lost");
    this.#opened.resolve(true);
  }

  attemptEnded(attempt: AttemptRun): void {
    const { failure } = attempt;
    const now = this.call.clock.now();
    // It is not silent any more: what follows its end, a back-off perhaps, is no time to start another beside it.
    if (attempt === this.attempts.at(-1)) this.#hedge.cancel();
    if (this.over || attempt.outcome === "hedge_lost") return;
    if (attempt === this.serving || failure === null) return this.#finish(failure);
    // `abort()` finishes the call, once all that race have ended.
    if (failure.reason === "aborted") return;
    this.#afterFailure(this.progress.endpointOf(attempt.setup.info.index), failure, now);
  }

  // ── what follows ──

  #afterFailure(endpoint: ResolvedEndpoint, failure: Failure, now: number): void {
    const { call, progress, attempts } = this;
    const attemptsHere = progress.attemptsAt(endpoint);
    const endpointsLeft = progress.left(now);
    const budgetLeft = this.#health.mayRetry(now);
    const position = { now, attemptsHere, endpointsLeft, budgetLeft, attempts: attempts.length };
    const { decision, broken, budgetExhausted } = nextStep(call, endpoint, failure, position);
    if (broken) this.#warnings.policyFailed();
    if (budgetExhausted) progress.skip(endpoint, "budget");
    this.budgetExhausted ||= budgetExhausted;
    const racing = attempts.some((attempt) => !attempt.over);
    if (!this.#carryOut(decision, endpoint, racing) && !racing) this.#finish(failure);
  }

  /** False if nothing more is tried. While a race is on, asking again would only load whoever has just failed. */
  #carryOut(decision: Decision, endpoint: ResolvedEndpoint, racing: boolean): boolean {
    if (decision.action === "end") return false;
    if (decision.action === "fallback") return this.#moveOn("fallback");
    const { delayMs } = decision;
    const { clock } = this.call;
    if (racing || !this.#mayRetry || !this.#hasTime(endpoint, delayMs)) return false;
    this.#health.spendRetry(clock.now());
    this.#cancelBackoff = clock.after(delayMs, () => this.#retry(endpoint, delayMs));
    return true;
  }

  /** A hidden tab may sleep for a minute: what fitted before the wait may not fit after it. */
  #retry(endpoint: ResolvedEndpoint, delayMs: number): void {
    this.#cancelBackoff = null;
    if (this.#hasTime(endpoint, 0)) this.#begin(endpoint, "retry", delayMs);
    else this.#finish(this.attempts.at(-1)?.failure ?? null);
  }

  #moveOn(kind: "fallback" | "hedge"): boolean {
    const { call, progress } = this;
    if (this.attempts.length >= call.retry.maxAttempts) return false;
    const next = progress.next(call.clock.now());
    if (next === null) return false;
    if (!this.#hasTime(next, 0)) {
      progress.skip(next, "no_time");
      return false;
    }
    this.#begin(next, kind, 0);
    return true;
  }

  #begin(endpoint: ResolvedEndpoint, kind: AttemptKind, backoffMs: number): void {
    const { call, progress, attempts } = this;
    // By the caller's own policy or observer, just now: that their signal is heard of takes a moment.
    if (call.signal?.aborted) return this.abort(call.signal.reason);
    const now = call.clock.now();
    progress.tried(endpoint);
    const anotherLeft = progress.left(now) > 0;
    const earlier = attempts.find(({ request, setup }) => request !== null && setup.info.endpoint === endpoint.name);
    const index = attempts.length;
    const attempt = createAttempt({
      call,
      endpoint,
      index,
      kind,
      backoffMs,
      now,
      anotherLeft,
      earlier: earlier?.request ?? null,
      ticket: this.#health.begin(endpoint.name, now),
      events: this,
      warnings: this.#warnings,
    });
    this.attempts = attempts.concat(attempt);
    if (anotherLeft) this.#hedge.arm(endpoint);
    attempt.start();
  }

  #finish(failure: Failure | null): void {
    if (this.over) return;
    this.failure = failure;
    this.outcome = failure?.reason ?? this.#servedOutcome();
    this.endedAt = this.call.clock.now();
    this.#stopWaiting();
    this.#health.ended(this.endedAt);
    this.#stopListening?.();
    this.#onEnd(this);
    this.#opened.resolve(false);
    this.#ended.resolve();
  }

  /** `complete`, or an ending of the provider's own that is no failure (`length`). */
  #servedOutcome(): Outcome {
    const outcome = this.serving?.outcome;
    return outcome === null || outcome === undefined || outcome === "hedge_lost" ? "complete" : outcome;
  }

  /** What is already readable in this turn of the loop came first: the read's own promise is given its place. */
  readonly #onAbort = (): void => {
    void Promise.resolve().then(() => this.abort(this.call.signal?.reason));
  };

  #stopWaiting(): void {
    this.#hedge.cancel();
    this.#cancelBackoff?.();
    this.#cancelBackoff = null;
  }

  #hasTime(endpoint: ResolvedEndpoint, delayMs: number): boolean {
    const { call } = this;
    const limits = call.limitsOf(endpoint);
    return remainingMsOf(limits, call.startedAt, call.clock.now()) - delayMs >= limits.minAttemptMs;
  }
}
