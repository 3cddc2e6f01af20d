/** One cell of the table: one scenario, one way of one SDK, one `fetch`; and what its user saw. */
import { createFetch, findTtftError } from "ttft";
import { createStub, type Stub } from "ttft/testing";
import { ARGUMENTS, type Scenario, TEXT } from "./scenario.ts";
import type { Way, World } from "./user.ts";

export interface Seen {
  readonly text: string;
  /** What the tool was run with, each time. */
  readonly tools: readonly unknown[];
  /** `undefined` if the user's code ended without one. */
  readonly error: unknown;
  /** It had not ended after `PATIENCE_MS`. */
  readonly hangs: boolean;
  /** Requests at A and at B. */
  readonly requests: readonly [number, number];
  /** How long after the user left the upstream was closed; `null` if it was not. */
  readonly closedAfterMs: number | null;
}

/** How long a user waits before this is called a hang; far beyond every limit that is set here. */
const PATIENCE_MS = Number(process.env.TTFT_PATIENCE_MS ?? 6_000);
const LIMITS = { firstTokenMs: 1_000, idleMs: 1_000, stallMs: 1_500 };

/** What may stand between an SDK and A. */
export interface Gateway {
  readonly url: string;
  /** Which path it calls at A. */
  readonly path: string;
  /** What it is told with each request. */
  readonly headersFor: (stub: Stub) => Readonly<Record<string, string>>;
}

export async function play(scenario: Scenario, way: Way, ours: boolean, gateway?: Gateway): Promise<Seen> {
  const path = gateway?.path ?? way.path;
  const stub = await createStub({ [`/a${path}`]: scenario.a, [`/b${way.path}`]: scenario.b ?? [{ status: 500 }] });
  try {
    return await perform(scenario, way, stub, ours, gateway);
  } finally {
    await stub.close();
  }
}

async function perform(scenario: Scenario, way: Way, stub: Stub, ours: boolean, gateway?: Gateway): Promise<Seen> {
  const baseURL = gateway?.url ?? stub.url("/a");
  const fetch = ours ? oursFor(scenario, way, stub, baseURL) : globalThis.fetch;
  const controller = new AbortController();
  const tools: unknown[] = [];
  let text = "";
  let leftAt: number | null = null;
  const world: World = {
    baseURL,
    fetch: gateway ? telling(fetch, gateway.headersFor(stub)) : fetch,
    signal: controller.signal,
    ours,
    wantsTool: scenario.wantsTool ?? false,
    text(piece) {
      text += piece;
      if (!scenario.leaves) return false;
      leftAt ??= performance.now();
      if (scenario.leaves === "abort") controller.abort();
      return scenario.leaves === "break";
    },
    runTool(input) {
      tools.push(input);
      return "sunny";
    },
  };
  const { error, hangs } = await outcomeOf(way.run(world));
  const closedAt = leftAt === null ? null : await closing(stub);
  controller.abort();
  const at = (path: string) => stub.requests.filter(({ url }) => new URL(url).pathname.startsWith(path)).length;
  return {
    text,
    tools,
    error,
    hangs,
    requests: [at("/a/"), at("/b/")],
    closedAfterMs: closedAt === null ? null : closedAt - (leftAt ?? 0),
  };
}

/** As an SDK's `defaultHeaders` would. */
function telling(fetch: typeof globalThis.fetch, more: Readonly<Record<string, string>>): typeof globalThis.fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    for (const [name, value] of Object.entries(more)) headers.set(name, value);
    return fetch(input, { ...init, headers });
  };
}

function oursFor({ b }: Scenario, { path }: Way, stub: Stub, baseURL: string): typeof globalThis.fetch {
  const protocol = path.endsWith("/messages")
    ? "anthropic-messages"
    : path.endsWith("/responses")
      ? "openai-responses"
      : "openai-chat";
  const backup = { name: "b", protocol, url: stub.url(`/b${path}`), apiKey: "key-of-the-backup", model: "m" } as const;
  return createFetch({
    primary: { origin: new URL(baseURL).origin, name: "a" },
    fallbacks: b ? [backup] : [],
    limits: LIMITS,
    retry: { maxRetries: 1, baseDelayMs: 20 },
    hedge: false,
  });
}

/** Settles after `PATIENCE_MS` at the latest. */
function outcomeOf(running: Promise<void>): Promise<{ error: unknown; hangs: boolean }> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve({ error: undefined, hangs: true }), PATIENCE_MS);
    const end = (error: unknown) => {
      clearTimeout(timer);
      resolve({ error, hangs: false });
    };
    running.then(
      () => end(undefined),
      (error) => end(error ?? new Error("nothing was thrown")),
    );
  });
}

/** When the server saw its client go; waits for it as long as our slowest limit could take. */
async function closing({ requests }: Stub): Promise<number | null> {
  for (let waited = 0; waited < 4_000; waited += 50) {
    const closed = requests[0]?.closedByClientMs;
    if (closed !== null && closed !== undefined) return closed;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return null;
}

/** In a few words, for the table. */
export function wordsFor(scenario: Scenario, seen: Seen): string {
  const requests = seen.requests[0] + seen.requests[1];
  const count = requests === 1 ? "" : `, ${requests} requests`;
  return `${whatUserSaw(scenario, seen)}${count}`;
}

function whatUserSaw(scenario: Scenario, { text, tools, error, hangs, closedAfterMs }: Seen): string {
  const [input] = tools;
  const ran = tools.length === 0 ? "" : `; TOOL RAN with ${JSON.stringify(input)}`;
  if (hangs && scenario.waits) return "waits";
  if (hangs) return `hangs${text ? " on half an answer" : ""}${ran}`;
  if (scenario.leaves) {
    const closed =
      closedAfterMs === null ? "upstream goes on" : closedAfterMs < 500 ? "upstream closed" : "closed late";
    return `${closed}${error ? `; ${nameOf(error)}` : ""}`;
  }
  if (error) return `${findTtftError(error) ? "ours: " : ""}${describe(error)}${ran}`;
  if (scenario.wantsTool) {
    if (scenario.expected === "tool ran" && JSON.stringify(input) === JSON.stringify(ARGUMENTS)) return "tool ran";
    return ran ? ran.slice(2) : "ends, no tool, no error";
  }
  if (text === TEXT) return scenario.expected === "whole" ? "whole answer" : "whole text, no error";
  return text ? "HALF AN ANSWER, no error" : "nothing, no error";
}

function describe(error: unknown): string {
  const ours = findTtftError(error);
  return ours ? `${nameOf(error)} → ${ours.code}` : nameOf(error);
}

const nameOf = (error: unknown) =>
  error instanceof Error ? (error.constructor.name === "Error" ? error.name : error.constructor.name) : "an object";
