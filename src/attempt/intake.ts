/**
 * The receiving side of an attempt: what every read does to the timeline, the limits, the inspector and the consumer's
 * queue. Comes after `read.ts`; leaves the two decisions, gate and end, to `attempt.ts`.
 */
import type { Clock } from "../base/clock.ts";
import type { FailureReason } from "../base/failure.ts";
import type { StreamEvent } from "../protocol/protocol.ts";
import type { Timeline } from "../timing/timeline.ts";
import type { Watch } from "../timing/watch.ts";
import type { Observer } from "../turn/observer.ts";
import { transportReason } from "./failures.ts";
import { Inspector } from "./inspector.ts";
import type { Outlet } from "./outlet.ts";
import type { Reading } from "./read.ts";
import type { AttemptSetup } from "./setup.ts";

/** A body that always has a read ready would never let a timer ring: after so much of it the event loop gets a turn. */
const READS_PER_TURN = 8_192;
const BYTES_PER_TURN = 4 * 1024 * 1024;

export type Piece = StreamEvent | Uint8Array;

/** The attempt, as far as its receiving side knows it. */
export interface IntakeOwner {
  readonly setup: AttemptSetup<never>;
  readonly timeline: Timeline;
  readonly watch: Watch;
  readonly outlet: Outlet<Piece> | null;
  readonly over: boolean;
  /** A read has been taken in: may the gate open, has the answer ended? */
  weigh(at: number): void;
  /** `null` = the body ended by itself. */
  end(reason: FailureReason | null, details: { readonly cause?: unknown }, at: number): void;
}

export class Intake implements Reading {
  readonly inspector: Inspector;
  readonly #owner: IntakeOwner;
  readonly #keepsBytes: boolean;
  #announced = 0;
  #reads = 0;
  /** Where `timeline.bytes` and the clock stood at the last turn. */
  #turnBytes = 0;
  #turnAt: number;

  constructor(owner: IntakeOwner) {
    const { protocol, collect, bounds, form } = owner.setup;
    const { timeline, outlet } = owner;
    const onEvent = form === "events" ? (event: Piece) => outlet?.push(event) : null;
    this.#owner = owner;
    this.#turnAt = timeline.startedAt;
    this.#keepsBytes = form === "bytes";
    this.inspector = new Inspector({ protocol, timeline, collect, onEvent, ...bounds });
  }

  get over(): boolean {
    return this.#owner.over;
  }

  room(): Promise<void> | null {
    const { outlet, timeline, watch, setup } = this.#owner;
    const wait = !watch.held && outlet?.full ? outlet.room() : this.#turn(setup.clock, timeline.bytes);
    if (wait === null) return null;
    timeline.paused();
    watch.pause();
    return wait.then(() => watch.resume(setup.clock.now()));
  }

  /** Where time stands still, as in a test, nothing is kept from running. */
  #turn(clock: Clock, bytes: number): Promise<void> | null {
    if (++this.#reads < READS_PER_TURN && bytes - this.#turnBytes < BYTES_PER_TURN) return null;
    this.#reads = 0;
    this.#turnBytes = bytes;
    const now = clock.now();
    if (now === this.#turnAt) return null;
    this.#turnAt = now;
    return new Promise((resolve) => void clock.after(0, resolve));
  }

  chunk(bytes: Uint8Array, at: number): void {
    const { timeline, watch, outlet, setup } = this.#owner;
    const waitedMs = at - watch.heardAt;
    watch.heardAt = at;
    timeline.bytes += bytes.byteLength;
    timeline.firstByteAt ??= at;
    setup.ticket.heard(at);
    this.inspector.feed(bytes, at);
    if (this.#keepsBytes) outlet?.push(bytes);
    this.#account(at, waitedMs);
    this.#owner.weigh(at);
  }

  closed(at: number): void {
    this.inspector.end(at);
    this.#account(at, 0);
    this.#owner.weigh(at);
    this.#owner.end(null, {}, at);
  }

  failed(error: unknown, at: number): void {
    if (this.inspector.answer.awaitsDetail) return this.#owner.end("provider_error", {}, at);
    this.#owner.end(transportReason(error, "connection_lost"), { cause: error }, at);
  }

  /** What the read brought, for the limits, the gaps and whoever listens. */
  #account(at: number, waitedMs: number): void {
    const { inspector } = this;
    const { timeline, watch, setup } = this.#owner;
    const { observer, info } = setup;
    if (inspector.readProgress) watch.progressAt = at;
    if (inspector.readOutput) {
      const gap = timeline.output(at, waitedMs);
      if (gap !== null) observer?.gap?.(info, gap);
    }
    const flows = timeline.firstOutputAt !== null || inspector.answer.providerTool || inspector.isDocument;
    if (flows && !watch.flowing) watch.flow(at);
    if (inspector.answer.awaitsDetail) watch.awaitDetail(at);
    if (observer !== null && this.#announced < 3) this.#announce(observer);
  }

  #announce(observer: Observer): void {
    const { timeline, setup } = this.#owner;
    const { startedAt, firstEventAt, firstOutputAt, firstContentAt } = timeline;
    if (this.#announced === 0 && firstEventAt !== null) {
      this.#announced = 1;
      observer.firstEvent?.(setup.info, firstEventAt - startedAt);
    }
    if (this.#announced === 1 && firstOutputAt !== null) {
      this.#announced = 2;
      observer.firstOutput?.(setup.info, firstOutputAt - startedAt);
    }
    if (this.#announced === 2 && firstContentAt !== null) {
      this.#announced = 3;
      observer.firstContent?.(setup.info, firstContentAt - startedAt);
    }
  }
}
