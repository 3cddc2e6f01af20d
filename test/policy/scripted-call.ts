/** A driver as small as can be over the policy: scripted endpoints, events instead of timers, no network. */
import type { Failure } from "../../src/base/failure.ts";
import type { CallHealth, HealthOptions } from "../../src/policy/call-health.ts";
import { decide, isBudgetExhausted, type RetrySettings } from "../../src/policy/decide.ts";
import { breakerDefaults, retryBudgetDefaults, retryDefaults } from "../../src/policy/defaults.ts";
import type { HealthState } from "../../src/policy/health.ts";
import type { Decision, PolicyInput } from "../../src/policy/options.ts";

/** A failure, or the gate opens; after so many ms, with headers (if any came) after `headersMs`. */
export interface Answer {
  readonly failure?: Failure;
  readonly afterMs: number;
  readonly headersMs?: number;
}

export interface Outcome {
  served: string | null;
  readonly attempts: string[];
  readonly waits: number[];
  failure: Failure | null;
  budgetExhausted: boolean;
  endedAt: number;
}

/** Things that happen, in the order of their times. */
export class Events {
  now = 0;
  readonly #queue: { at: number; order: number; run: () => void }[] = [];
  #order = 0;

  at(at: number, run: () => void): void {
    const event = { at, order: this.#order++, run };
    let index = this.#queue.length;
    for (; index > 0; index--) {
      const before = this.#queue[index - 1];
      if (!before || before.at > at || (before.at === at && before.order > event.order)) break;
    }
    this.#queue.splice(index, 0, event);
  }

  run(): void {
    for (let next = this.#queue.pop(); next; next = this.#queue.pop()) {
      this.now = next.at;
      next.run();
    }
  }
}

export interface World {
  readonly events: Events;
  readonly health: HealthState;
  readonly endpoints: Readonly<Record<string, (now: number) => Answer>>;
  readonly random?: () => number;
  readonly retry?: Partial<RetrySettings>;
  readonly health_?: Partial<HealthOptions>;
  readonly deadlineMs?: number;
}

/** Starts a call now; the outcome is filled in as the events are run. */
export function startCall(world: World): Outcome {
  const { events, health, endpoints, random = () => 0.5, deadlineMs = 300_000 } = world;
  const options: HealthOptions = {
    breaker: breakerDefaults,
    retryBudget: retryBudgetDefaults,
    random,
    onChange: () => {},
    ...world.health_,
  };
  const settings: RetrySettings = { ...retryDefaults, minAttemptMs: 500, ...world.retry };
  const names = Object.keys(endpoints);
  const tried = new Map<string, number>();
  const deadline = events.now + deadlineMs;
  const call = health.callStarted(events.now, options);
  const outcome: Outcome = { served: null, attempts: [], waits: [], failure: null, budgetExhausted: false, endedAt: 0 };

  const usable = () => names.filter((name) => !tried.has(name) && call.standing(name, events.now) === "usable");

  function end(): void {
    outcome.endedAt = events.now;
    call.ended(events.now);
  }

  function attempt(name: string, lastResort: boolean): void {
    tried.set(name, (tried.get(name) ?? 0) + 1);
    outcome.attempts.push(name);
    const ticket = call.begin(name, events.now);
    const answer = endpoints[name]?.(events.now) ?? { afterMs: 0 };
    const { headersMs } = answer;
    if (headersMs !== undefined) events.at(events.now + headersMs, () => ticket.heard(events.now));
    events.at(events.now + answer.afterMs, () => {
      if (answer.failure) {
        ticket.failed(answer.failure, events.now);
        failed(name, answer.failure, lastResort);
      } else {
        ticket.opened(events.now);
        outcome.served = name;
        end();
      }
    });
  }

  function failed(name: string, failure: Failure, lastResort: boolean): void {
    outcome.failure = failure;
    const input: PolicyInput = {
      failure,
      endpoint: name,
      attemptsHere: tried.get(name) ?? 1,
      endpointsLeft: usable().length,
      remainingMs: deadline - events.now,
      budgetLeft: call.mayRetry(events.now),
      random: random(),
    };
    const chosen = lastResort ? { ...settings, maxRetries: 0 } : settings;
    follow(decide(input, chosen), name, call);
    outcome.budgetExhausted = isBudgetExhausted(input, chosen);
  }

  function follow(decision: Decision, name: string, call: CallHealth): void {
    const next = usable()[0];
    if (decision.action === "retry") {
      call.spendRetry(events.now);
      outcome.waits.push(decision.delayMs);
      events.at(events.now + decision.delayMs, () => attempt(name, false));
    } else if (decision.action === "fallback" && next) attempt(next, false);
    else end();
  }

  const first = usable()[0];
  attempt(first ?? (call.usableFirst(names) as string), first === undefined);
  return outcome;
}
