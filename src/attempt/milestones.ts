/** What a connection reaches on its way to the headers, as the timeline, the limits and the endpoint's health hear of it. */
import type { Clock } from "../base/clock.ts";
import type { Ticket } from "../policy/ticket.ts";
import type { Timeline } from "../timing/timeline.ts";
import type { Watch } from "../timing/watch.ts";

export class Milestones {
  readonly #clock: Clock;
  readonly #timeline: Timeline;
  readonly #watch: Watch;
  readonly #ticket: Ticket;

  constructor(clock: Clock, timeline: Timeline, watch: Watch, ticket: Ticket) {
    this.#clock = clock;
    this.#timeline = timeline;
    this.#watch = watch;
    this.#ticket = ticket;
  }

  /** The runtime shows when a connection is ready: its limit runs, from the start. */
  connectionVisible(): void {
    if (this.#timeline.connectedAt !== null) return;
    this.#watch.connectFrom = this.#timeline.startedAt;
    this.#watch.arm();
  }

  connected(): void {
    this.#timeline.connectedAt ??= this.#clock.now();
    this.#watch.connectFrom = Infinity;
  }

  headersCame(): void {
    const at = this.#clock.now();
    this.#timeline.headersAt = at;
    this.#ticket.heard(at);
  }

  /** It is an error response: how it ends is known, and only its words are still read. */
  refused(): void {
    this.#watch.firstTokenFrom = Infinity;
  }
}
