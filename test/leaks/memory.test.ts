/** A thousand calls on virtual time: every ending of a provider, met by everything that a caller may do. */
import { expect, test } from "vitest";
import { type ScriptedFetch, scriptedFetch, VirtualClock } from "../../src/testing.ts";
import { ANSWERS, type Answer, IN_MEMORY_ONLY } from "./answers.ts";
import { CALLERS } from "./callers.ts";
import { hearProcess } from "./process-noise.ts";
import { Ledger, type Network, pathOf } from "./stand.ts";

const ENDINGS = [
  "complete closed_before_terminal connection_lost provider_error malformed_event too_large empty length content_filter",
  "paused abnormal_stop timeout_first_token timeout_idle timeout_stall timeout_total timeout_consumer transport_timeout",
  "aborted timeout_connect timeout_gate connection_failed http_error not_a_stream refused configuration no_endpoint",
].flatMap((line) => line.split(" "));

const undici = (code: string) => Object.assign(new TypeError("fetch failed"), { cause: { code } });

/** Rejects, or breaks the body after its first chunk, as a timer of the runtime's own does. */
function breaking(upstream: ScriptedFetch, breaks: "body" | "headers"): typeof fetch {
  return async (input, init) => {
    if (breaks === "headers") throw undici("UND_ERR_CONNECT_TIMEOUT");
    const reader = (await upstream(input, init)).body?.getReader();
    const first = await reader?.read();
    void reader?.cancel();
    const body = new ReadableStream(
      {
        start: (controller) => controller.enqueue(first?.value),
        pull: (controller) => controller.error(undici("UND_ERR_BODY_TIMEOUT")),
      },
      { highWaterMark: 2 },
    );
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  };
}

function networkFor(answer: Answer, clock: VirtualClock, chunkBytes: number | undefined) {
  const url = (at: number, path: string) => `https://e${at}.test${path}`;
  const scripts = Object.fromEntries(answer.scripts.map((script, at) => [url(at, pathOf(answer)), script]));
  const upstream = scriptedFetch(scripts, { clock, chunkBytes });
  const fetch = answer.breaks ? breaking(upstream, answer.breaks) : upstream;
  const network: Network = { clock, fetch, url };
  return { network, upstream };
}

test("after a thousand calls no timer, listener, connection or rejection is left", async () => {
  const clock = new VirtualClock();
  const ledger = new Ledger();
  const stopHearing = hearProcess();
  const stillOpen: string[] = [];
  for (const chunkBytes of [undefined, 7]) {
    for (const answer of [...ANSWERS, ...IN_MEMORY_ONLY]) {
      const calls = Object.keys(CALLERS).map((name) => ({ name, ...networkFor(answer, clock, chunkBytes) }));
      const running = Promise.all(calls.map(({ name, network }) => ledger.run(name, answer, network)));
      await clock.runAll();
      await running;
      await clock.runAll();
      for (const { name, upstream } of calls) {
        const left = upstream.requests.every(({ closedByClientMs }) => closedByClientMs !== null);
        if (answer.open && !left) stillOpen.push(`${name} · ${answer.name}`);
      }
    }
  }
  expect(ledger.surprises).toEqual([]);
  expect(clock.pending).toBe(0);
  expect(ledger.shared.added).toBeGreaterThan(50);
  expect(ledger.listeners).toBe(0);
  expect(stillOpen).toEqual([]);
  expect(stopHearing()).toEqual([]);
  expect(ledger.started).toBeGreaterThan(1_000);
  expect(ledger.ended).toBe(ledger.started);
  expect(ENDINGS.filter((ending) => !ledger.outcomes.has(ending))).toEqual([]);
  expect(ledger.attempts).toContain("hedge_lost");
}, 120_000);
