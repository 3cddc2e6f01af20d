/** Hedging costs tokens, so the loser has to stop at once: shown by the server's log, on real sockets. */
import { expect, test } from "vitest";
import type { Script } from "../../src/testing/script.ts";
import { Stage } from "./play.ts";
import { CONVERSATIONS, type Spoken } from "./requests.ts";

/** Alive without output: a keep-alive every 20 ms for as long as anybody listens. */
const slow: Script = ["", { keepAlive: 500, everyMs: 20 }, "too late"];
/** It speaks, and has not ended when the loser is left. */
const winner: Script = ["from b", { end: "hold" }];

test.each(Object.keys(CONVERSATIONS) as Spoken[])(
  "%s: the loser is left at the winner's first output, long before its end, and writes no more",
  async (protocol) => {
    const stage = await Stage.open(protocol, { a: slow, b: winner }, {}, { hedge: { afterMs: 60 } });
    const stream = await stage.client.stream(CONVERSATIONS[protocol].plain);
    await expect.poll(() => stage.left("a"), { interval: 5 }).toBe(1);
    expect(stage.left("b")).toBe(0);
    expect(stream.endpoint).toBe("b");
    expect(stream.attempts).toMatchObject([
      { endpoint: "a", kind: "initial", outcome: "hedge_lost" },
      { endpoint: "b", kind: "hedge", outcome: null, gate: "opened" },
    ]);

    const [lost] = stage.requests("a");
    const [won] = stage.requests("b");
    const wonAt = Number(won?.sent[0]?.atMs);
    const leftAt = Number(lost?.closedByClientMs);
    // a is asked, b is asked, b speaks, a is left.
    const order = [lost?.startedMs, won?.startedMs, wonAt, leftAt].map(Number);
    expect(order).toEqual([...order].sort((one, other) => one - other));

    const written = Number(lost?.sent.length);
    await new Promise((resolve) => setTimeout(resolve, 60));
    expect(lost?.sent).toHaveLength(written);
    expect(lost?.sent.at(-1)?.atMs).toBeLessThanOrEqual(leftAt);
    console.info(`${protocol}: left ${(leftAt - wonAt).toFixed(1)} ms after the winner's first byte was written`);
    stream.cancel();
    await stream.closed;
  },
);
