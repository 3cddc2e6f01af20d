/**
 * The receiving side of an attempt: what every read does to the timeline, the limits, the inspector and the consumer's
 * queue. Comes after `read.ts`; leaves the two decisions, gate and end, to `attempt.ts`.
 */
import type { FailureReason } from "../base/failure.ts";
import type { StreamEvent } from "../protocol/protocol.ts";
import type { Timeline } from "../timing/timeline.ts";
import type { Watch } from "../timing/watch.ts";
import type { AttemptInfo, Observer } from "../turn/observer.ts";
import { isTransportTimer } from "./failures.ts";
import type { Inspector } from "./inspector.ts";
import type { Outlet } from "./outlet.ts";
import type { Reading } from "./read.ts";

export type Piece = StreamEvent | Uint8Array;

export interface IntakeSetup {
  readonly inspector: Inspector;
  readonly timeline: Timeline;
  readonly watch: Watch;
  readonly outlet: Outlet<Piece> | null;
  readonly keepsBytes: boolean;
  readonly observer: Observer | null;
  readonly info: AttemptInfo;
  readonly now: () => number;
  readonly owner: IntakeOwner;
}

export interface IntakeOwner {
  readonly over: boolean;
  /** The first bytes of the body. */
  heard(): void;
  /** A read has been taken in: may the gate open, has the answer ended? */
  weigh(at: number): void;
  /** `null` = the body ended by itself. */
  end(reason: FailureReason | null, details: { readonly cause?: unknown }, at: number): void;
}

export class Intake implements Reading {
  readonly #setup: IntakeSetup;
  #announced = 0;

  constructor(setup: IntakeSetup) {
    this.#setup = setup;
  }

  get over(): boolean {
    return this.#setup.owner.over;
  }

  room(): Promise<void> | null {
    const { outlet, timeline, watch, now } = this.#setup;
    if (watch.held || !outlet?.full) return null;
    timeline.paused();
    watch.pause();
    return outlet.room().then(() => watch.resume(now()));
  }

  chunk(bytes: Uint8Array, at: number): void {
    const { inspector, timeline, watch, outlet, keepsBytes, owner } = this.#setup;
    const waitedMs = at - watch.heardAt;
    watch.heardAt = at;
    timeline.bytes += bytes.byteLength;
    if (timeline.firstByteAt === null) {
      timeline.firstByteAt = at;
      owner.heard();
    }
    inspector.feed(bytes, at);
    if (keepsBytes) outlet?.push(bytes);
    this.#account(at, waitedMs);
    owner.weigh(at);
  }

  closed(at: number): void {
    const { inspector, owner } = this.#setup;
    inspector.end(at);
    this.#account(at, 0);
    owner.weigh(at);
    owner.end(null, {}, at);
  }

  failed(error: unknown, at: number): void {
    const { inspector, owner } = this.#setup;
    if (inspector.awaitsDetail) return owner.end("provider_error", {}, at);
    owner.end(isTransportTimer(error) ? "transport_timeout" : "connection_lost", { cause: error }, at);
  }

  /** What the read brought, for the limits, the gaps and whoever listens. */
  #account(at: number, waitedMs: number): void {
    const { inspector, timeline, watch, observer, info } = this.#setup;
    if (inspector.readProgress) watch.progressAt = at;
    if (inspector.readOutput) {
      const gap = timeline.output(at, waitedMs);
      if (gap !== null) observer?.gap?.(info, gap);
    }
    const flows = timeline.firstOutputAt !== null || inspector.providerTool || inspector.isDocument;
    if (flows && !watch.flowing) watch.flow(at);
    if (inspector.awaitsDetail) watch.awaitDetail(at);
    if (observer !== null && this.#announced < 3) this.#announce(observer);
  }

  #announce(observer: Observer): void {
    const { info, timeline } = this.#setup;
    const { startedAt, firstEventAt, firstOutputAt, firstContentAt } = timeline;
    if (this.#announced === 0 && firstEventAt !== null) {
      this.#announced = 1;
      observer.firstEvent?.(info, firstEventAt - startedAt);
    }
    if (this.#announced === 1 && firstOutputAt !== null) {
      this.#announced = 2;
      observer.firstOutput?.(info, firstOutputAt - startedAt);
    }
    if (this.#announced === 2 && firstContentAt !== null) {
      this.#announced = 3;
      observer.firstContent?.(info, firstContentAt - startedAt);
    }
  }
}
