/** One provider's behaviour with a client and a drop-in over it, and a count of all that they may leave behind. */
import {
  type Client,
  type ClientOptions,
  type Clock,
  createClient,
  createFetch,
  type Endpoint,
  type Observer,
} from "../../src/index.ts";
import type { Answer } from "./answers.ts";
import { CALLERS, isExpected, type Stand } from "./callers.ts";
import { CountedController } from "./signals.ts";

const PATHS = { "openai-chat": "/v1/chat/completions", "anthropic-messages": "/v1/messages" } as const;

export interface Network {
  readonly clock: Clock;
  /** The platform's if it is not given. */
  readonly fetch?: ClientOptions["fetch"];
  /** The address of the endpoint with that number. */
  url(endpoint: number, path: string): string;
}

export const pathOf = ({ protocol = "openai-chat" }: Answer) => PATHS[protocol];

/** What all calls together came to. */
export class Ledger implements Observer {
  readonly shared = new CountedController();
  readonly own: CountedController[] = [];
  readonly outcomes = new Map<string, number>();
  /** Attempts of their own that came to these. */
  readonly attempts = new Set<string>();
  readonly surprises: string[] = [];
  started = 0;
  ended = 0;

  readonly callStart = () => {
    this.started++;
  };
  readonly callEnd: NonNullable<Observer["callEnd"]> = (_, { outcome, attempts }) => {
    this.ended++;
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    for (const attempt of attempts) this.attempts.add(attempt.outcome ?? "running");
  };

  /** Listeners that are left on any signal. */
  get listeners(): number {
    return [this.shared, ...this.own].reduce((sum, { listeners }) => sum + listeners.size, 0);
  }

  /** Makes the call; its end must be one of those that a caller is promised. */
  async run(name: string, answer: Answer, network: Network): Promise<void> {
    const caller = CALLERS[name];
    if (!caller) throw new Error(`no caller is called ${name}`);
    try {
      await caller(this.#standFor(answer, network));
    } catch (error) {
      if (!isExpected(error)) this.surprises.push(`${name} · ${answer.name}: ${error}`);
    }
  }

  #standFor(answer: Answer, network: Network): Stand {
    const { protocol = "openai-chat" } = answer;
    const path = pathOf(answer);
    const { clock, fetch } = network;
    const options = { clock, fetch, random: () => 0.5, breaker: false, retryBudget: false, observers: [this] } as const;
    const quiet = { ...options, hedge: false, retry: { maxRetries: 0 }, ...answer.options } as const;
    const endpoints = answer.scripts.map(
      (_, at): Endpoint => ({ name: `e${at}`, protocol, url: network.url(at, path), model: "m", ...answer.endpoint }),
    );
    const client: Client = createClient({ ...quiet, endpoints });
    const [first, ...fallbacks] = endpoints as [Endpoint, ...Endpoint[]];
    const { capabilities } = first;
    return {
      client,
      fetch: createFetch({
        ...quiet,
        fallbacks,
        primary: { origin: new URL(first.url as string).origin, capabilities },
      }),
      url: first.url as string,
      body: { max_tokens: 9, messages: [], ...answer.body },
      shared: this.shared.signal,
      controller: () => {
        const controller = new CountedController();
        this.own.push(controller);
        return controller;
      },
      after: (ms) => new Promise((resolve) => void clock.after(ms, resolve)),
    };
  }
}
