/** One call through a client with real sockets, and what both sides saw of it: the caller, and the server's own log. */
import { afterEach } from "vitest";
import {
  CallError,
  type Client,
  type ClientOptions,
  createClient,
  type Endpoint,
  type StreamEvent,
  type Turn,
} from "../../src/index.ts";
import type { StubRequest } from "../../src/testing/request-log.ts";
import type { Scripts } from "../../src/testing/script.ts";
import { createStub, type Stub } from "../../src/testing/stub.ts";
import { CONVERSATIONS, type Spoken } from "./requests.ts";

export type Name = "a" | "b" | "c";
export const KEY = "sk-test-0123456789abcdef";

const open: Stub[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((stub) => stub.close()));
});

export async function stubOf(scripts: Scripts): Promise<Stub> {
  const stub = await createStub(scripts);
  open.push(stub);
  return stub;
}

/** Endpoints by name; each has a path of its own below `/a`, `/b`, `/c` and a key of its own. */
export class Stage {
  readonly #stub: Stub;
  readonly client: Client;

  private constructor(stub: Stub, client: Client) {
    this.#stub = stub;
    this.client = client;
  }

  static async open(
    protocol: Spoken,
    scripts: Readonly<Partial<Record<Name, Scripts[string]>>>,
    more: Readonly<Partial<Record<Name, Partial<Endpoint>>>> = {},
    options: Omit<ClientOptions, "endpoints"> = {},
  ): Promise<Stage> {
    const { path } = CONVERSATIONS[protocol];
    const names = Object.keys(scripts) as Name[];
    const stub = await stubOf(Object.fromEntries(names.map((name) => [`/${name}${path}`, scripts[name] ?? []])));
    const endpoints = names.map((name) => ({
      name,
      protocol,
      url: stub.url(`/${name}${path}`),
      apiKey: `${KEY}-${name}`,
      model: `model-${name}`,
      ...more[name],
    }));
    const client = createClient({ endpoints, hedge: false, retry: { maxRetries: 0 }, ...options });
    return new Stage(stub, client);
  }

  /** What the server saw at this endpoint, in order. */
  requests(name: Name): readonly StubRequest[] {
    return this.#stub.requests.filter(({ url }) => new URL(url).pathname.startsWith(`/${name}/`));
  }

  /** How many of its requests this endpoint saw the client leave. A close travels for a moment. */
  left(name: Name): number {
    return this.requests(name).filter(({ closedByClientMs }) => closedByClientMs !== null).length;
  }

  async call(body: object): Promise<Seen> {
    try {
      const stream = await this.client.stream(body);
      const events: StreamEvent[] = [];
      try {
        for await (const event of stream) events.push(event);
      } catch {
        // The turn says the same, with more.
      }
      return { turn: await stream.turn(), error: null, events };
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
      return { turn: null, error, events: [] };
    }
  }
}

/** What one caller got. */
export interface Seen {
  readonly turn: Turn | null;
  readonly error: CallError | null;
  readonly events: readonly StreamEvent[];
}

export const textIn = (events: readonly StreamEvent[]): string =>
  events.map((event) => (event.type === "text" ? event.text : "")).join("");
