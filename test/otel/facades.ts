/** The same call through either façade and in each of the main protocols, against scripts in memory, on virtual time. */
import {
  CallError,
  createClient,
  createFetch,
  type Endpoint,
  type Observer,
  type ProtocolName,
  type Turn,
  turnOf,
} from "../../src/index.ts";
import { type ScriptedFetch, type Scripts, scriptedFetch, VirtualClock } from "../../src/testing.ts";

const PATHS = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "anthropic-messages": "/v1/messages",
} as const satisfies { readonly [Name in ProtocolName]?: string };

export type MainProtocol = keyof typeof PATHS;
export const mainProtocols = Object.keys(PATHS) as MainProtocol[];

export type Facade = "client" | "fetch";

/** Every façade with every main protocol, for `test.for`. */
export const everyWay = (["client", "fetch"] as const).flatMap((facade) =>
  mainProtocols.map((protocol) => ({ facade, protocol })),
);

export const MODEL = "model-1";

export function endpoint(protocol: MainProtocol, name: string): Endpoint {
  return { name, protocol, url: `https://${name}.test${PATHS[protocol]}` };
}

/** How the caller treats the answer: to its end, or leaving after the first content. */
export type Leave = "never" | "break" | "abort" | "cancel";

export interface Options {
  readonly body?: Record<string, unknown>;
  readonly leave?: Leave;
  readonly label?: string;
  readonly headers?: Record<string, string>;
  readonly query?: string;
  readonly settings?: object;
  /** Another observer, inside of the first. */
  readonly also?: Observer;
}

/** A call to the endpoints `a` and, if there is a script for it, `b`. */
export async function call(
  { facade, protocol }: { readonly facade: Facade; readonly protocol: MainProtocol },
  scripts: Scripts,
  observer: Observer,
  options: Options = {},
): Promise<{ readonly turn: Turn | null; readonly error: unknown; readonly fetch: ScriptedFetch }> {
  const clock = new VirtualClock();
  const fetch = scriptedFetch(scripts, { clock });
  const endpoints = ["a", "b"].filter((name) => name === "a" || Object.keys(scripts).some((key) => key.includes(name)));
  const shared = {
    clock,
    fetch,
    observers: [observer, options.also],
    retry: { maxRetries: 0 },
    hedge: false as const,
    random: () => 0.5,
    ...options.settings,
  };
  const chain = endpoints.map((name) => endpoint(protocol, name));
  const through = facade === "client" ? throughClient : throughFetch;
  let over = false;
  const done = through(chain, shared, options)
    .catch((error: unknown) => {
      if (error instanceof CallError) return { turn: null, error };
      throw error;
    })
    .finally(() => {
      over = true;
    });
  while (!over) await clock.runAll();
  return { ...(await done), fetch };
}

type Done = Promise<{ readonly turn: Turn | null; readonly error: unknown }>;

const bodyOf = (options: Options) => ({ model: MODEL, messages: [], ...options.body });

async function throughClient(chain: readonly Endpoint[], shared: object, options: Options): Done {
  const { leave = "never", label, headers, query = "" } = options;
  const endpoints = chain.map((each) => ({ ...each, url: each.url + query, headers }));
  const controller = new AbortController();
  const client = createClient({ ...shared, endpoints });
  const stream = await client.stream(bodyOf(options), { signal: controller.signal, label });
  try {
    for await (const event of stream) {
      if (event.type !== "text" || leave === "never") continue;
      if (leave === "abort") controller.abort();
      else break;
    }
  } catch (error) {
    return { turn: await stream.turn(), error };
  }
  return { turn: await stream.turn(), error: null };
}

async function throughFetch([first, ...fallbacks]: readonly Endpoint[], shared: object, options: Options): Done {
  const { leave = "never", headers, query = "" } = options;
  const { url, protocol: _, ...traits } = first as Endpoint;
  const fetch = createFetch({ ...shared, primary: { ...traits, origin: new URL(url).origin }, fallbacks });
  const controller = new AbortController();
  const response = await fetch(url + query, {
    method: "POST",
    signal: controller.signal,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ stream: true, ...bodyOf(options) }),
  });
  if (!response.ok || !response.body) return { turn: null, error: await response.text() };
  const reader = response.body.getReader();
  const turn = turnOf(response);
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      if (leave === "never" || !new TextDecoder().decode(chunk.value).includes("one")) continue;
      if (leave === "abort") controller.abort();
      else await reader.cancel();
    }
  } catch (error) {
    return { turn: (await turn) ?? null, error };
  }
  return { turn: (await turn) ?? null, error: null };
}
