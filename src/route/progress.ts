/** How far a call has come along its chain: which endpoints were tried, which still can be, which were passed over. */
import type { CallHealth } from "../policy/call-health.ts";
import type { SkipReason } from "../policy/states.ts";
import type { Skipped } from "../turn/record.ts";
import type { Call } from "./call.ts";
import { missing } from "./capabilities.ts";
import type { ResolvedEndpoint } from "./endpoint.ts";

export class Progress {
  readonly skipped: Skipped[] = [];
  /** Endpoints tried after the first. */
  fallbacks = 0;
  readonly #call: Call;
  readonly #health: CallHealth;
  /** One entry per attempt. */
  #tried: readonly ResolvedEndpoint[] = [];
  readonly #able: readonly ResolvedEndpoint[];

  constructor(call: Call, health: CallHealth) {
    this.#call = call;
    this.#health = health;
    this.#able = call.chain.filter((endpoint) => this.#isAble(endpoint));
  }

  /** Attempts made at this endpoint. */
  attemptsAt(endpoint: ResolvedEndpoint): number {
    return this.#tried.filter((tried) => tried === endpoint).length;
  }

  tried(endpoint: ResolvedEndpoint): void {
    if (this.#tried.length > 0 && !this.#tried.includes(endpoint)) this.fallbacks++;
    this.#tried = this.#tried.concat(endpoint);
  }

  /** Where the attempt of that index was made. */
  endpointOf(index: number): ResolvedEndpoint {
    return this.#tried[index] as ResolvedEndpoint;
  }

  /** Passed over: recorded once per endpoint and reason. */
  skip(endpoint: ResolvedEndpoint, why: SkipReason): void {
    const { name } = endpoint;
    if (this.skipped.some((earlier) => earlier.endpoint === name && earlier.why === why)) return;
    this.skipped.push({ endpoint: name, why });
    this.#call.observer?.skipped?.(this.#call.info, name, why);
  }

  /** How many others may still be asked: untried, capable, breaker closed or ready for a probe, not resting. */
  left(now: number): number {
    if (this.fallbacks >= this.#call.fallback.maxFallbacks) return 0;
    return this.#untried().filter((endpoint) => this.#health.standing(endpoint.name, now) === "usable").length;
  }

  /** The next endpoint to try. Those before it that cannot be used now are recorded as passed over. */
  next(now: number): ResolvedEndpoint | null {
    for (const endpoint of this.#untried()) {
      const standing = this.#health.standing(endpoint.name, now);
      if (standing === "usable") return endpoint;
      this.skip(endpoint, standing);
    }
    return null;
  }

  /** Where none is usable the one that will be first gets one attempt, so that a single endpoint is never blocked. */
  lastResort(): ResolvedEndpoint | null {
    const untried = this.#untried();
    const first = this.#health.usableFirst(untried.map((endpoint) => endpoint.name));
    return untried.find((endpoint) => endpoint.name === first) ?? null;
  }

  #untried(): ResolvedEndpoint[] {
    return this.#able.filter((endpoint) => !this.#tried.includes(endpoint));
  }

  #isAble(endpoint: ResolvedEndpoint): boolean {
    const { chain, needs, form } = this.#call;
    // Bytes are handed on as they are: only who speaks the first endpoint's protocol can answer.
    const foreign = form === "bytes" && endpoint.protocol !== chain[0]?.protocol;
    const why = foreign ? "protocol" : missing(needs, endpoint, endpoint === chain[0]);
    if (why !== null) this.skip(endpoint, why);
    return why === null;
  }
}
