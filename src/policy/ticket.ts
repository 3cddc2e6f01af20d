/** One attempt, as the health of its endpoint follows it from its start to its one verdict. */
import type { Failure } from "../base/failure.ts";
import { type Breaker, type Trial, tellingChange } from "./breaker.ts";
import { weightOf } from "./classify.ts";
import type { EndpointHealth } from "./endpoint-health.ts";
import type { Jury } from "./jury.ts";
import { restOf } from "./rest.ts";
import type { BreakerState } from "./states.ts";

export interface TicketSetup {
  readonly endpoint: EndpointHealth;
  /** `null`: this client has none. */
  readonly breaker: Breaker | null;
  readonly jury: Jury;
  readonly random: () => number;
  readonly onChange: (state: BreakerState) => void;
}

/** A lost race after this much silence is a silent attempt: a shorter one is what a hedge is for. */
const SILENT_AFTER_MS = 10_000;

/**
 * Tell it what happens: `opened` and then perhaps `failed`, or one of `failed`, `lost` and `released` alone. Every
 * method may be called at any time and again; what comes after the end changes nothing.
 */
export class Ticket {
  readonly #setup: TicketSetup;
  readonly #startedAt: number;
  readonly #trial: Trial | null;
  #opened = false;
  #over = false;

  constructor(setup: TicketSetup, now: number) {
    const { breaker, onChange } = setup;
    this.#setup = setup;
    this.#startedAt = now;
    this.#trial = breaker && tellingChange(breaker, onChange, () => breaker.begin(now));
  }

  /** Bytes came, headers included. Cheap enough for every read. */
  heard(now: number): void {
    this.#setup.breaker?.heard(now);
    this.#setup.jury.heard(now);
  }

  /** The gate opened: that is the attempt's success, whatever becomes of the answer. */
  opened(now: number): void {
    if (this.#over || this.#opened) return;
    this.#opened = true;
    this.heard(now);
    this.#tell((breaker, trial) => breaker.succeeded(trial, now));
  }

  /** Before the gate opened, or after it: then it counts as one more failure. */
  failed(failure: Failure, now: number): void {
    if (this.#over) return;
    this.#over = true;
    const { endpoint, jury, random } = this.#setup;
    if (failure.httpStatus !== null) jury.heard(now);
    endpoint.restUntil = Math.max(endpoint.restUntil, now + restOf(failure));
    if (failure.reason === "timeout_first_token" && !this.#opened) return this.#wasSilent(now);
    const weight = weightOf(failure);
    this.#judge(now, (breaker, trial, judgedAt) => breaker.failed(trial, weight, now, judgedAt, random));
  }

  /** Another endpoint's gate opened first. */
  lost(now: number): void {
    if (this.#opened || now - this.#startedAt < SILENT_AFTER_MS) return this.released();
    if (this.#over) return;
    this.#over = true;
    this.#wasSilent(now);
  }

  /** It ended in a way that says nothing about the endpoint, or all has been told. To be called on every path. */
  released(): void {
    if (this.#over) return;
    this.#over = true;
    this.#tell((breaker, trial) => breaker.released(trial));
  }

  #wasSilent(at: number): void {
    this.#judge(at, (breaker, trial, now) => breaker.silent(trial, at, now, this.#setup.random));
  }

  #judge(at: number, verdict: (breaker: Breaker, trial: Trial, now: number) => void): void {
    this.#setup.jury.judge((counts, now) => {
      this.#tell((breaker, trial) => (counts ? verdict(breaker, trial, now) : breaker.released(trial)));
    }, at);
  }

  #tell(act: (breaker: Breaker, trial: Trial) => void): void {
    const { breaker, onChange } = this.#setup;
    const trial = this.#trial;
    if (breaker && trial) tellingChange(breaker, onChange, () => act(breaker, trial));
  }
}
