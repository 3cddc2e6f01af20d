/**
 * The limits of one attempt, kept by a single timer. What happens on the way only moves numbers; the timer, when it
 * rings, asks which limit is really due and goes on waiting for the rest. So a read costs two assignments, not a timer.
 */
import type { Clock } from "../base/clock.ts";
import { type Due, earliestDue, type LimitName, type Moments, type WatchLimits } from "./due.ts";

export interface WatchEvents {
  /** The limit has passed. `limitMs` is what it was set to, for the sentence. */
  expired(limit: LimitName, limitMs: number): void;
  /** `firstTokenMs` has passed and the grace runs. */
  graceBegan(): void;
  /** The machine slept or the loop was blocked: for about this long nothing could run. */
  suspended(ms: number): void;
}

/** Lateness that is no longer jitter: more than 50 ms and more than a tenth of the wait. */
const isLate = (late: number, wait: number) => late > Math.max(50, wait / 10);
/** The first so many takes in a row are stamped, then one in so many: to read the clock costs more than to take a piece. */
const TAKES_STAMPED = 16;
/** Wall time this far ahead of the monotonic clock means that the machine slept. */
const SLEEP_MS = 2_000;

export class Watch implements Moments {
  readonly #clock: Clock;
  readonly #limits: WatchLimits;
  readonly #events: WatchEvents;
  #cancel: (() => void) | null = null;
  #armedFor = Infinity;
  #over = false;
  #pausedAt = 0;
  #wallAhead: number;
  #rearmed: LimitName | null = null;
  /** Pieces that the consumer took in a row, and whether it took one since the last stamp. */
  #takes = 0;
  #tookSinceStamp = false;

  // What each of them means stands at `Moments`.
  connectFrom = Infinity;
  firstTokenFrom: number;
  heardAt: number;
  progressAt: number;
  flowing = false;
  paused = false;
  consumerFrom = Infinity;
  detailFrom = Infinity;
  held = true;
  graceMs = 0;

  /** Waits for nothing yet: call `arm()` as soon as there is something to wait for. */
  constructor(clock: Clock, limits: WatchLimits, events: WatchEvents, startedAt: number) {
    this.#clock = clock;
    this.#limits = limits;
    this.#events = events;
    this.firstTokenFrom = this.heardAt = this.progressAt = startedAt;
    this.#wallAhead = clock.wallNow() - startedAt;
  }

  /** First token has stopped. */
  flow(at: number): void {
    this.flowing = true;
    this.firstTokenFrom = Infinity;
    this.progressAt = at;
    this.arm();
  }

  awaitDetail(at: number): void {
    if (this.detailFrom !== Infinity) return;
    this.detailFrom = at;
    this.arm();
  }

  /** Bytes lie ready since `at`; `Infinity` = none do. */
  awaitConsumer(at: number): void {
    this.consumerFrom = at;
    this.#tookSinceStamp = false;
    if (at === Infinity) this.#takes = 0;
    else if (at + this.#limits.consumerMs < this.#armedFor) this.arm();
  }

  /** The consumer took a piece, and more lie ready. A take that was not stamped is noticed when the timer rings. */
  consumerTook(): void {
    const isStamped = this.#takes < TAKES_STAMPED || this.#takes % TAKES_STAMPED === 0;
    this.#takes++;
    if (isStamped) this.awaitConsumer(this.#clock.now());
    else this.#tookSinceStamp = true;
  }

  pause(): void {
    this.paused = true;
    this.#pausedAt = this.heardAt;
  }

  /** Reading goes on: silence counts from now, progress without the pause. */
  resume(at: number): void {
    if (this.#over) return;
    this.paused = false;
    this.progressAt += at - this.#pausedAt;
    this.heardAt = at;
    this.arm();
  }

  /** Call after a moment was set that may be due earlier than what the timer waits for. */
  arm(): void {
    if (this.#over) return;
    const due = earliestDue(this, this.#limits).at;
    if (due >= this.#armedFor) return;
    this.#cancel?.();
    this.#set(due, this.#clock.now());
  }

  /** Releases the timer; nothing is reported any more. */
  stop(): void {
    this.#over = true;
    this.#cancel?.();
    this.#cancel = null;
    this.#noticeSleep(this.#clock.now());
  }

  #set(due: number, now: number): void {
    this.#armedFor = due;
    this.#cancel = due === Infinity ? null : this.#clock.after(Math.max(0, due - now), this.#ring);
  }

  readonly #ring = (): void => {
    const now = this.#clock.now();
    const late = now - this.#armedFor;
    this.#noticeSleep(now);
    if (this.#tookSinceStamp) this.awaitConsumer(now);
    const next = earliestDue(this, this.#limits);
    if (next.at > now) return this.#set(next.at, now);
    const slept = isLate(late, next.ms);
    if (slept) this.#events.suspended(late);
    const heardAt = this.heardAt;
    this.#afterTurns(slept ? 2 : 1, () => this.#decide(slept && this.heardAt !== heardAt));
  };

  /** Bytes that are readable in this turn of the loop come before the limit; after a sleep they may need two turns. */
  #afterTurns(turns: number, run: () => void): void {
    this.#cancel = this.#clock.after(0, turns > 1 ? () => this.#afterTurns(turns - 1, run) : run);
  }

  #decide(mayRearm: boolean): void {
    const now = this.#clock.now();
    if (this.#tookSinceStamp) this.awaitConsumer(now);
    const next = earliestDue(this, this.#limits);
    if (next.at > now) return this.#set(next.at, now);
    if (mayRearm && this.#rearmed !== next.limit) return this.#rearm(next, now);
    this.#expire(next, now);
  }

  /** The limit was late and bytes came meanwhile: it runs again in full, once. Deadlines of the call do not. */
  #rearm(next: Due, now: number): void {
    this.#rearmed = next.limit;
    if (next.limit === "first_token") this.firstTokenFrom = now;
    else if (next.limit === "stall") this.progressAt = now;
    else if (next.limit === "connect") this.connectFrom = now;
    else return this.#expire(next, now);
    this.#set(earliestDue(this, this.#limits).at, now);
  }

  #expire(next: Due, now: number): void {
    if (next.limit === "first_token" && this.graceMs === 0 && this.#limits.graceMs > 0) {
      this.graceMs = this.#limits.graceMs;
      this.#events.graceBegan();
      return this.#set(earliestDue(this, this.#limits).at, now);
    }
    this.#events.expired(next.limit, next.ms);
  }

  #noticeSleep(now: number): void {
    const ahead = this.#clock.wallNow() - now;
    if (ahead - this.#wallAhead > SLEEP_MS) this.#events.suspended(ahead - this.#wallAhead);
    this.#wallAhead = ahead;
  }
}
