/** Plays one plan from the stub's first byte to the process's last timer. */
import { getEventListeners } from "node:events";
import type { ScriptStep, StreamCase } from "../format.ts";
import { inTime } from "../in-time.ts";
import type { Loaded } from "../library.ts";
import { nameOf, type Plan } from "../plan.ts";
import { isolatedStub } from "../stub/isolated.ts";
import { memoryStub } from "../stub/memory.ts";
import { type Stub, type StubLog, sleep } from "../stub/script.ts";
import { serverStub } from "../stub/server.ts";
import { callClient, openStream } from "./client-call.ts";
import { Conduct, needsSignal } from "./conduct.ts";
import { Undo } from "./environment.ts";
import { callFetch } from "./fetch-call.ts";
import { type Observed, observe } from "./observed.ts";
import { startWatch } from "./process-watch.ts";
import { callSdk } from "./sdk-call.ts";
import type { SeenTelemetry } from "./telemetry.ts";
import { buildWorld, type World } from "./world.ts";

/** All that is expected of a run can be judged by this. */
export interface Played {
  readonly plan: Plan;
  readonly loaded: Loaded;
  /** The calls that `expect` is about, in order. */
  readonly calls: readonly Observed[];
  readonly stub: StubLog;
  readonly breaker: Readonly<Record<string, string>>;
  readonly process: ReturnType<ReturnType<typeof startWatch>> & {
    readonly pendingTimers: number | null;
    readonly abortListeners: number;
  };
  readonly telemetry: SeenTelemetry | null;
  /** What the caller sets, and what the platform's `fetch` sends by itself with the same request. */
  readonly ownHeaders: readonly string[] | null;
}

const open = { http: serverStub, isolated: isolatedStub, memory: async (script: any) => memoryStub(script) };
/** After this the bounded drain of every call is over. */
const graceMs = 100;
/** Far above anything a case plays: a call that never settles must not take the other cases with it. */
const longestMs = 20_000;

export async function play(plan: Plan, loaded: Loaded): Promise<Played> {
  const undo = new Undo();
  const stub: Stub = await open[plan.stub](plan.script);
  const countsSince = startWatch();
  const signals = new Set<AbortSignal>();
  try {
    const world = await buildWorld(plan, stub, loaded, undo);
    const calls = await inTime(act(world, signals), longestMs);
    const breaker = world.health();
    world.page?.pass(plan.script.client.env?.visibility ?? []);
    undo.all();
    await settle(plan, stub);
    return {
      plan,
      loaded,
      calls,
      breaker,
      stub: await stub.log(),
      process: {
        ...countsSince(),
        pendingTimers: world.clock?.pending ?? null,
        abortListeners: [...signals].reduce((sum, signal) => sum + getEventListeners(signal, "abort").length, 0),
      },
      telemetry: (await world.telemetry?.read()) ?? null,
      ownHeaders: plan.expect.server?.addedRequestHeaders
        ? [...world.seen.callerHeaders, ...(await bareHeaders(plan.script))]
        : null,
    };
  } catch (error) {
    throw new Error(`${nameOf(plan)} could not be played`, { cause: error });
  } finally {
    undo.all();
    await stub.close();
  }
}

/** Waits until what may come late has come. */
async function settle({ expect, script }: Plan, stub: Stub): Promise<void> {
  const late = expect.process ?? expect.server ?? expect.otel ?? script.client.env?.visibility;
  await sleep(late ? graceMs : 1);
  const withinMs = expect.server?.clientClosedWithinMs;
  if (withinMs === undefined) return;
  for (let waited = 0; waited < withinMs && (await stub.log()).closes.length === 0; waited += 20) await sleep(20);
}

async function bareHeaders(script: StreamCase): Promise<readonly string[]> {
  const probe = await serverStub(script);
  try {
    const headers = script.client.request?.headers ?? {};
    const response = await fetch(`${probe.base}/A/v1`, { method: "POST", headers, body: "{}" });
    await response.body?.cancel();
    return (await probe.log()).headerNames[0] ?? [];
  } finally {
    await probe.close();
  }
}

async function act(world: World, signals: Set<AbortSignal>): Promise<Observed[]> {
  const { client } = world.script;
  const controllerOf = () => {
    const controller = needsSignal(world.script) ? new AbortController() : null;
    if (controller) signals.add(controller.signal);
    return controller;
  };
  if (client.action === "script") return playScript(world, client.script ?? [], controllerOf);
  const shared = client.sharedSignal ? controllerOf() : null;
  const calls: Observed[] = [];
  for (let nth = 0; nth < (client.n ?? 1); nth++) {
    if (nth > 0) await sleep(client.betweenMs ?? 0);
    calls.push(await call(world, shared ?? controllerOf()));
  }
  return calls;
}

async function playScript(
  world: World,
  steps: readonly ScriptStep[],
  controllerOf: () => AbortController | null,
): Promise<Observed[]> {
  const calls: Observed[] = [];
  const abandoned: (AbortController | null)[] = [];
  for (const step of steps) {
    if ("waitMs" in step) await sleep(step.waitMs);
    else if (step.abandon) abandoned.push(abandon(world, controllerOf()));
    else calls.push(await call(world, controllerOf()));
  }
  // The case is over: let go of what would otherwise outlive it.
  for (const controller of abandoned) controller?.abort();
  return calls.slice(-1);
}

/** Starts a call and leaves it alone. */
function abandon(world: World, controller: AbortController | null): AbortController | null {
  const forgotten = world.client
    ? openStream(world, controller?.signal ?? null)
    : waysOf(world)(world, new Conduct(world, controller));
  forgotten.catch(() => {});
  return controller;
}

const waysOf = ({ plan }: World) => (plan.via === "fetch" ? callFetch : plan.via ? callSdk : callClient);

async function call(world: World, controller: AbortController | null): Promise<Observed> {
  const conduct = new Conduct(world, controller);
  world.seen.trigger = conduct.trigger;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  conduct.trigger.called();
  const taken = await waysOf(world)(world, conduct);
  const settleMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  conduct.trigger.dispose();
  const { abortReason, left, pullsWhilePaused } = conduct;
  return observe(world, taken, { abortReason, left, settleMs, cpuMs: (user + system) / 1000, pullsWhilePaused });
}
