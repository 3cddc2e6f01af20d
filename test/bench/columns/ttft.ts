/** Ours, in every shape, with everything on: gate, limits, breaker, collected turn; with and without listeners. */
import {
  type Client,
  type ClientOptions,
  createClient,
  createFetch,
  type Observer,
  type StreamEvent,
} from "../../../src/index.ts";
import { createStats } from "../../../src/stats.ts";
import { DIALECTS, type Dialect, PATHS } from "../stub/plan.ts";
import { type Ask, type Column, perBase } from "./column.ts";
import { drain, post } from "./floor.ts";

const PROTOCOLS = { chat: "openai-chat", messages: "anthropic-messages", responses: "openai-responses" } as const;
const BODY = { messages: [{ role: "user", content: "hi" }] };

/** What a listener makes of what it hears: enough that no compiler drops it. */
export const tally = { heard: 0 };
const count = () => {
  tally.heard++;
};
/** Hears everything there is to hear. */
export const listener: Observer = {
  callStart: count,
  attemptStart: count,
  firstEvent: count,
  firstOutput: count,
  firstContent: count,
  gap: count,
  attemptEnd: count,
  callEnd: count,
};

export function clientFor(base: string, dialect: Dialect, options: Partial<ClientOptions> = {}, endpoints = 1): Client {
  const endpoint = (_: unknown, at: number) => ({
    name: `e${at}`,
    protocol: PROTOCOLS[dialect],
    url: base + PATHS[dialect],
    apiKey: "x",
    model: "m",
  });
  return createClient({ endpoints: Array.from({ length: endpoints }, endpoint), ...options });
}

export async function events(client: Client, ask: Ask, collect = true): Promise<void> {
  const { signal } = ask;
  for await (const event of await client.stream(BODY, { collect, signal })) take(event, ask);
}

function take(event: StreamEvent, ask: Ask): void {
  if (event.type === "text") ask.delta(event.text);
  else if (event.type === "tool_arguments") ask.delta(event.delta);
}

async function text(client: Client, ask: Ask): Promise<void> {
  for await (const piece of (await client.stream(BODY)).textStream()) ask.delta(piece);
}

async function turn(client: Client, ask: Ask): Promise<void> {
  const turn = await client.turn(BODY);
  if (turn.status === "incomplete") throw new Error(`incomplete: ${turn.reason}`);
  const length = turn.toolCalls[0]?.arguments.length ?? turn.text.length;
  ask.whole(turn.timing.contentChunks, length);
}

const dropIn = createFetch();
const heardDropIn = createFetch({ observers: [listener] });

function columnsOf(dialect: Dialect): [string, Column][] {
  const plain = perBase((base) => clientFor(base, dialect));
  const heard = perBase((base) => clientFor(base, dialect, { observers: [listener, createStats()] }));
  const column = (name: string, run: Column["run"]): [string, Column] => [`${name}:${dialect}`, { dialect, run }];
  return [
    column("events", (ask) => events(plain(ask), ask)),
    column("events, heard", (ask) => events(heard(ask), ask)),
    column("textStream", (ask) => text(plain(ask), ask)),
    column("turn", (ask) => turn(plain(ask), ask)),
    column("not collected", (ask) => events(plain(ask), ask, false)),
    column("fetch", async (ask) => drain(await post(ask, dialect, dropIn), ask)),
    column("fetch, heard", async (ask) => drain(await post(ask, dialect, heardDropIn), ask)),
  ];
}

export const columns: Readonly<Record<string, Column>> = Object.fromEntries(DIALECTS.flatMap(columnsOf));
