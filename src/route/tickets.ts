/** Tells the health of endpoints what becomes of the attempts of one call. */
import type { AttemptRun } from "../attempt/attempt.ts";
import type { CallHealth } from "../policy/call-health.ts";
import type { Ticket } from "../policy/ticket.ts";
import type { ResolvedEndpoint } from "./endpoint.ts";

interface Held {
  readonly attempt: AttemptRun;
  readonly ticket: Ticket;
  readonly endpoint: ResolvedEndpoint;
}

export class Tickets {
  readonly #health: CallHealth;
  /** A handful at most, and asked with every read. */
  #held: readonly Held[] = [];

  constructor(health: CallHealth) {
    this.#health = health;
  }

  begin(attempt: AttemptRun, endpoint: ResolvedEndpoint, now: number): void {
    this.#held = this.#held.concat({ attempt, ticket: this.#health.begin(endpoint.name, now), endpoint });
  }

  heard(attempt: AttemptRun, at: number): void {
    this.#of(attempt)?.ticket.heard(at);
  }

  opened(attempt: AttemptRun, now: number): void {
    this.#of(attempt)?.ticket.opened(now);
  }

  /** Its place is given back, whatever it came to. Returns where it was made. */
  ended(attempt: AttemptRun, now: number): ResolvedEndpoint {
    const held = this.#of(attempt);
    if (!held) throw new Error("an attempt ended that never began");
    if (attempt.outcome === "hedge_lost") held.ticket.lost(now);
    else if (attempt.failure !== null) held.ticket.failed(attempt.failure, now);
    held.ticket.released();
    return held.endpoint;
  }

  #of(attempt: AttemptRun): Held | undefined {
    return this.#held.find((held) => held.attempt === attempt);
  }
}
