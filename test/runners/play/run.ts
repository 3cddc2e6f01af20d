/** Plays one plan from the stub's first byte to the process's last timer. */
import { getEventListeners } from "node:events";
import type { StreamCase } from "../format.ts";
import { inTime } from "../in-time.ts";
import type { Loaded } from "../library.ts";
import type { Plan } from "../plan.ts";
import { isolatedStub } from "../stub/isolated.ts";
import { memoryStub } from "../stub/memory.ts";
import { type Stub, type StubLog, sleep } from "../stub/script.ts";
import { serverStub } from "../stub/server.ts";
import { makeCalls } from "./calls.ts";
import { Undo } from "./environment.ts";
import type { Observed } from "./observed.ts";
import { startWatch } from "./process-watch.ts";
import type { SeenTelemetry } from "./telemetry.ts";
import { buildWorld } from "./world.ts";

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
  try {
    const world = await buildWorld(plan, stub, loaded, undo);
    const calls = await inTime(makeCalls(world), longestMs);
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
        abortListeners: listenersOn(world.seen.signals),
      },
      telemetry: (await world.telemetry?.read()) ?? null,
      ownHeaders: plan.expect.server?.addedRequestHeaders
        ? [...world.seen.callerHeaders, ...(await bareHeaders(plan.script))]
        : null,
    };
  } finally {
    undo.all();
    await stub.close();
  }
}

const listenersOn = (signals: ReadonlySet<AbortSignal>) =>
  [...signals].reduce((sum, signal) => sum + getEventListeners(signal, "abort").length, 0);

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
