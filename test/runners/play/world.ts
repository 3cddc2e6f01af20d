/** Everything around the calls of one run: the stub, the client or `fetch` under test, and what listens to them. */
import type { CallRecord, Client, Endpoint, Health, Observer, Policy, ProtocolName } from "../../../src/index.ts";
import type { StreamCase } from "../format.ts";
import type { Loaded } from "../library.ts";
import type { Plan } from "../plan.ts";
import { holdsSuccess } from "../stub/bytes-reader.ts";
import type { Stub } from "../stub/script.ts";
import { baseFetch, type ReadTap } from "./base-fetch.ts";
import { CaseClock, enter, Page, type Undo } from "./environment.ts";
import { urlOf } from "./requests.ts";
import { startTelemetry, type Telemetry } from "./telemetry.ts";
import type { Trigger } from "./trigger.ts";

export interface World {
  readonly plan: Plan;
  readonly script: StreamCase;
  readonly protocol: ProtocolName;
  readonly stub: Stub;
  readonly loaded: Loaded;
  readonly clock: CaseClock | null;
  readonly page: Page | null;
  readonly telemetry: Telemetry | null;
  readonly client: Client | null;
  readonly fetch: typeof globalThis.fetch | null;
  readonly health: () => Readonly<Record<string, string>>;
  readonly seen: Seen;
}

/** What the listeners of a run have gathered. */
export interface Seen {
  readonly records: CallRecord[];
  /** By the policy, of the last failure it was asked about; `null` if it never was. */
  fallbackEligible: boolean | null;
  /** Reads of response bodies, where they are tapped. */
  reads: number;
  /** Names of the headers that the caller of the drop-in set. */
  readonly callerHeaders: Set<string>;
  /** Signals that the calls were made with; an SDK and a `Request` have one of their own. */
  readonly signals: Set<AbortSignal>;
  /** The call that is under way. */
  trigger: Trigger | null;
}

export async function buildWorld(plan: Plan, stub: Stub, loaded: Loaded, undo: Undo): Promise<World> {
  const { script } = plan;
  const env = script.client.env ?? {};
  const protocol = script.protocol as ProtocolName;
  const seen: Seen = {
    records: [],
    fallbackEligible: null,
    reads: 0,
    callerHeaders: new Set(),
    signals: new Set(),
    trigger: null,
  };
  enter(env, stub, undo);
  const page = env.visibility ? new Page() : null;
  if (page) undo.set(globalThis, "document", page);
  const clock = env.timers || env.clock || script.expect.process?.pendingTimers === 0 ? new CaseClock(env) : null;
  const telemetry = script.client.otel && loaded.otel ? await startTelemetry(loaded.otel) : null;
  const shared = {
    ...optionsOf(script),
    fetch: baseFetch(env, stub, tapOf(plan, protocol, clock, seen), undo),
    clock: clock ?? undefined,
    observers: [listener(seen), telemetry?.observer],
    policy: script.expect.error?.fallbackEligible === undefined ? undefined : askingPolicy(seen),
  };
  const parts = { plan, script, protocol, stub, loaded, clock, page, telemetry, seen };
  return plan.via ? dropInWorld(parts, shared) : clientWorld(parts, shared);
}

type Parts = Omit<World, "client" | "fetch" | "health">;

function clientWorld(parts: Parts, shared: object): World {
  const client = parts.loaded.library.createClient?.({ endpoints: endpointsOf(parts), ...shared }) ?? null;
  return { ...parts, client, fetch: null, health: () => client?.health() ?? {} };
}

function dropInWorld(parts: Parts, shared: object): World {
  const health: Health | undefined = parts.loaded.library.createHealth?.({ clock: parts.clock ?? undefined });
  const [{ name, completion, capabilities } = { name: "A" }, ...others] = endpointsOf(parts);
  const primary = { name, completion, capabilities, origin: parts.stub.base };
  const fallbacks = others.map(({ headers: _, ...endpoint }) => endpoint as Endpoint);
  const fetch = parts.loaded.library.createFetch?.({ primary, fallbacks, health, ...shared }) ?? null;
  return { ...parts, client: null, fetch, health: () => health?.states() ?? {} };
}

function endpointsOf({ plan, script, protocol, stub }: Parts): [Endpoint, ...Endpoint[]] {
  const { client } = script;
  const endpoints = (client.endpoints ?? ["A"]).map((name) => ({
    name,
    protocol,
    url: urlOf(stub.base, name, protocol),
    headers: client.request?.headers,
    capabilities: client.capabilities?.[name],
    completion: plan.lenient ? ("lenient" as const) : undefined,
  }));
  return endpoints as [Endpoint, ...Endpoint[]];
}

/** The case's keys as the library's options. */
function optionsOf({ client }: StreamCase) {
  const limits = Object.entries(client.limits ?? {}).map(([name, ms]) => [name, Number(ms)]);
  return {
    limits: Object.fromEntries(limits),
    retry: { maxRetries: client.retry?.maxRetries ?? 0, baseDelayMs: client.backoffMs },
    hedge: client.hedge ?? (false as const),
    gate: client.gate,
    breaker: client.breaker && {
      consecutiveFailures: client.breaker.threshold,
      openMs: client.breaker.cooldownMs,
      minSpanMs: 0,
    },
    retryBudget: client.retryBudget,
    // The middle of every ± range.
    random: () => 0.5,
  };
}

function listener(seen: Seen): Observer {
  return {
    attemptEnd: () => seen.trigger?.attemptEnded(),
    callEnd: (_, record) => void seen.records.push(record),
  };
}

/** Decides nothing; asks what would follow if another endpoint were left. */
function askingPolicy(seen: Seen): Policy {
  return (input, next) => {
    seen.fallbackEligible = next({ ...input, endpointsLeft: 1 }).action === "fallback";
    return next(input);
  };
}

function tapOf({ script, via }: Plan, protocol: ProtocolName, clock: CaseClock | null, seen: Seen): ReadTap | null {
  const { client } = script;
  // Whoever reads bytes sees for itself when the terminal event is among them.
  const watchesEnd = client.at?.event === "terminal" && via !== "fetch";
  if (!watchesEnd && client.observe !== "pulls" && !client.env?.clock) return null;
  let bytes = Buffer.alloc(0);
  return {
    reading: () => void seen.reads++,
    read(chunk) {
      clock?.thaw();
      if (!watchesEnd || !chunk) return;
      bytes = Buffer.concat([bytes, chunk]);
      if (holdsSuccess(protocol, bytes)) setImmediate(() => seen.trigger?.terminal());
    },
  };
}
