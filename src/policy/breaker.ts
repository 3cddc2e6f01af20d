/**
 * The breaker of one endpoint: closed, open for a while, half-open for one leased probe. A state machine without
 * timers: every method is told the time, and a state that has run out is noticed when it is next asked for.
 */
import { type BreakerSettings, createFailureRecord, type FailureRecord } from "./failure-record.ts";
import type { BreakerState } from "./states.ts";

/** Each transition makes a new object, so a result belongs to the present exactly if its attempt holds the same one. */
type Circuit =
  | { readonly at: "closed"; readonly since: number; readonly record: FailureRecord }
  | { readonly at: "open"; readonly until: number; readonly lastsMs: number }
  /** `until`: when the probe's lease ends; `-Infinity`: nobody probes. */
  | { readonly at: "half_open"; readonly until: number; readonly lastsMs: number };

/** One attempt as its breaker knows it. */
export interface Trial {
  circuit: Circuit;
  readonly startedAt: number;
  readonly isProbe: boolean;
  /** Its success has been counted. */
  succeeded: boolean;
}

/** A failed probe keeps the breaker open this many times its own duration: a silent host is not probed all day. */
const PROBE_FACTOR = 10;
const LONGEST_FOR_PROBE_MS = 300_000;
/** After this long closed, the next opening counts as the first again. */
const FORGIVEN_AFTER_MS = 60_000;

export class Breaker {
  readonly #settings: BreakerSettings;
  #circuit: Circuit;
  #openings = 0;
  #heardAt = -Infinity;

  constructor(settings: BreakerSettings) {
    this.#settings = settings;
    this.#circuit = { at: "closed", since: -Infinity, record: createFailureRecord(settings) };
  }

  /** As of the last thing that happened. */
  get lastState(): BreakerState {
    return this.#circuit.at;
  }

  state(now: number): BreakerState {
    const circuit = this.#circuit;
    return circuit.at === "open" && now >= circuit.until ? "half_open" : circuit.at;
  }

  /** An attempt is welcome from then on. */
  get usableAt(): number {
    return this.#circuit.at === "closed" ? -Infinity : this.#circuit.until;
  }

  /** Never refuses: where no endpoint is usable, one is tried all the same, and a failure then counts for nothing. */
  begin(now: number): Trial {
    const circuit = this.#circuit;
    const isProbe = circuit.at !== "closed" && now >= circuit.until;
    if (circuit.at === "closed") circuit.record.started(now);
    else if (isProbe) this.#lease(circuit, now);
    return { circuit: this.#circuit, startedAt: now, isProbe, succeeded: false };
  }

  /** Bytes came, on whatever attempt. */
  heard(now: number): void {
    this.#heardAt = now;
  }

  succeeded(trial: Trial, now: number): void {
    const circuit = this.#circuit;
    if (trial.circuit !== circuit) return;
    trial.succeeded = true;
    if (circuit.at === "closed") return circuit.record.succeeded();
    trial.circuit = this.#circuit = { at: "closed", since: now, record: createFailureRecord(this.#settings) };
  }

  /** `at`: when it failed, which may be before `now`, when it became known to count. */
  failed(trial: Trial, weight: number, at: number, now: number, random: () => number): void {
    if (weight === 0) return this.released(trial);
    this.#judge(trial, at, now, random, (record) =>
      record.failed(weight, trial.succeeded ? null : trial.startedAt, at),
    );
  }

  /** It gave no output, and was ended for that. */
  silent(trial: Trial, at: number, now: number, random: () => number): void {
    this.#judge(trial, at, now, random, (record) => record.silent(trial.startedAt, at, this.#heardAt));
  }

  /** It ended in a way that says nothing about the endpoint. A probe's place is free again. */
  released(trial: Trial): void {
    if (trial.isProbe && trial.circuit === this.#circuit) this.#freeProbe();
  }

  /** The machine slept: the monotonic clock may have stood still, so that open time may be long over. */
  slept(): void {
    if (this.#circuit.at === "open") this.#freeProbe();
  }

  #judge(trial: Trial, at: number, now: number, random: () => number, opens: (record: FailureRecord) => boolean): void {
    const circuit = this.#circuit;
    if (trial.circuit !== circuit) return;
    if (circuit.at === "closed" ? opens(circuit.record) : trial.isProbe) {
      this.#open(now, circuit.at === "closed" ? 0 : at - trial.startedAt, random);
    }
  }

  /**
   * The lease is as long as the open time before it. One that ran out without a word was too short: the next is twice
   * as long, or probes of a silent host would follow each other and none would last long enough to fail.
   */
  #lease({ at, until, lastsMs: lastedMs }: Exclude<Circuit, { at: "closed" }>, now: number): void {
    const ranOut = at === "half_open" && until > -Infinity;
    const lastsMs = ranOut ? Math.min(2 * lastedMs, Math.max(lastedMs, LONGEST_FOR_PROBE_MS)) : lastedMs;
    this.#circuit = { at: "half_open", until: now + lastsMs, lastsMs };
  }

  #freeProbe(): void {
    const circuit = this.#circuit;
    if (circuit.at !== "closed") this.#circuit = { at: "half_open", until: -Infinity, lastsMs: circuit.lastsMs };
  }

  #open(now: number, probeMs: number, random: () => number): void {
    const { openMs, maxOpenMs } = this.#settings;
    const circuit = this.#circuit;
    // One success does not prove health: without this memory the breaker of a half-broken host flaps every few seconds.
    if (circuit.at === "closed" && now - circuit.since >= FORGIVEN_AFTER_MS) this.#openings = 0;
    const doubled = Math.min(maxOpenMs, openMs * 2 ** this.#openings++);
    const lastsMs = Math.max(doubled, Math.min(PROBE_FACTOR * probeMs, LONGEST_FOR_PROBE_MS)) * (0.8 + 0.4 * random());
    this.#circuit = { at: "open", until: now + lastsMs, lastsMs };
  }
}

/** Acts on a breaker, and tells its state if that is another one afterwards. */
export function tellingChange<T>(breaker: Breaker, onChange: (state: BreakerState) => void, act: () => T): T {
  const before = breaker.lastState;
  const result = act();
  if (breaker.lastState !== before) onChange(breaker.lastState);
  return result;
}
