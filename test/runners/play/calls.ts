/** Makes the calls of a run, one after the other, as its action says. */
import type { ScriptStep } from "../format.ts";
import { sleep } from "../stub/script.ts";
import { callClient, openStream } from "./client-call.ts";
import { Conduct, needsSignal } from "./conduct.ts";
import { callFetch, openResponse } from "./fetch-call.ts";
import { type Observed, observe } from "./observed.ts";
import { callSdk, openChunks } from "./sdk-call.ts";
import type { World } from "./world.ts";

/** The calls that the case's expectations are about. */
export async function makeCalls(world: World): Promise<Observed[]> {
  const { client } = world.script;
  if (client.action === "script") return playScript(world, client.script ?? []);
  const shared = client.sharedSignal ? new AbortController() : null;
  const calls: Observed[] = [];
  for (let nth = 0; nth < (client.n ?? 1); nth++) {
    if (nth > 0) await sleep(client.betweenMs ?? 0);
    calls.push(await call(world, shared ?? controllerFor(world)));
  }
  return calls;
}

const controllerFor = ({ script }: World) => (needsSignal(script) ? new AbortController() : null);

async function playScript(world: World, steps: readonly ScriptStep[]): Promise<Observed[]> {
  const calls: Observed[] = [];
  const abandoned: AbortController[] = [];
  for (const step of steps) {
    if ("waitMs" in step) await sleep(step.waitMs);
    else if (step.abandon) abandoned.push(abandon(world));
    else calls.push(await call(world, controllerFor(world)));
  }
  // The case is over: let go of what would otherwise outlive it.
  for (const controller of abandoned) controller.abort();
  return calls.slice(-1);
}

const ways = {
  client: { call: callClient, open: openStream },
  fetch: { call: callFetch, open: openResponse },
  "openai-sdk": { call: callSdk, open: openChunks },
};
const wayOf = ({ plan }: World) => ways[plan.via ?? "client"];

/** Starts a call and leaves it alone. */
function abandon(world: World): AbortController {
  const controller = new AbortController();
  const forgotten: Promise<unknown> = wayOf(world).open(world, controller.signal);
  forgotten.catch(() => {});
  return controller;
}

async function call(world: World, controller: AbortController | null): Promise<Observed> {
  const conduct = new Conduct(world, controller);
  world.seen.trigger = conduct.trigger;
  const cpu = process.cpuUsage();
  const startedAt = performance.now();
  conduct.trigger.called();
  const taken = await wayOf(world).call(world, conduct);
  const settleMs = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(cpu);
  conduct.trigger.dispose();
  const { abortReason, left, pullsWhilePaused } = conduct;
  return observe(world, taken, { abortReason, left, settleMs, cpuMs: (user + system) / 1000, pullsWhilePaused });
}
