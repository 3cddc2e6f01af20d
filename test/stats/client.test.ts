/** The whole way: calls of a real client, what is measured of them, and the limit that follows. */
import { describe, expect, it } from "vitest";
import { createClient } from "../../src/index.ts";
import { createStats, fromTail } from "../../src/stats.ts";
import { type Script, scriptedFetch, VirtualClock } from "../../src/testing.ts";

const FAST: Script = [{ waitMs: 800 }, "Hello", { waitMs: 60 }, " world"];
const FASTER: Script = [{ waitMs: 200 }, "Hello"];
const SILENT: Script = [{ status: 200 }, { end: "hold" }];
const CALLS = 210;

function setUp(options: { readonly hedge: boolean }) {
  const clock = new VirtualClock();
  const stats = createStats();
  const fetch = scriptedFetch(
    { "https://a.test/": [...Array.from({ length: CALLS }, () => FAST), SILENT], "https://b.test/": FASTER },
    { clock },
  );
  const endpoint = (name: string) =>
    ({ name, protocol: "openai-chat", url: `https://${name}.test/v1/chat/completions`, model: `${name}-1` }) as const;
  const client = createClient({
    endpoints: [endpoint("a"), endpoint("b")],
    observers: [stats],
    limits: { firstTokenMs: fromTail(stats) },
    hedge: options.hedge && { afterMs: fromTail(stats, { percentile: 95, headroom: 1, minMs: 500 }) },
    clock,
    fetch,
  });
  const call = async () => {
    const turn = client.turn({ messages: [] }, { promptTokens: 300, label: "chat" });
    await clock.runAll();
    return turn;
  };
  return { stats, call };
}

async function learn(call: () => Promise<unknown>): Promise<void> {
  for (let at = 0; at < CALLS; at++) await call();
}

describe("stats as an observer of a client", () => {
  it("file what each endpoint was asked for, and cut a silent attempt at the limit that was learnt", async () => {
    const { stats, call } = setUp({ hedge: false });
    await learn(call);
    const before = stats.percentiles();
    expect(before).toHaveLength(1);
    expect(before[0]).toMatchObject({ endpoint: "a", model: "a-1", label: "chat", band: "<2k", failures: {} });
    expect(before[0]?.ttft).toEqual(before[0]?.firstOutput);
    expect(Math.abs((before[0]?.ttft.p50Ms ?? 0) / 800 - 1)).toBeLessThan(0.01);
    expect(Math.abs((before[0]?.largestGap.p50Ms ?? 0) / 60 - 1)).toBeLessThan(0.01);

    const turn = await call();
    const [cut, served] = turn.attempts;
    expect([cut?.outcome, served?.endpoint, served?.outcome]).toEqual(["timeout_first_token", "b", "complete"]);
    // p99 × 2: there are fewer than a thousand.
    expect(Math.abs((cut?.timing.totalMs ?? 0) / 1_600 - 1)).toBeLessThan(0.01);

    const [a, b] = stats.percentiles();
    expect(a?.firstOutput.samples).toBe(CALLS + 1);
    expect(a?.ttft.samples).toBe(CALLS);
    expect(b).toMatchObject({ endpoint: "b", model: "b-1", ttft: { samples: 1 }, firstOutput: { samples: 1 } });
  }, 60_000);

  it("count the loser of a race as at least as long as it lasted", async () => {
    const { stats, call } = setUp({ hedge: true });
    await learn(call);
    const before = stats.percentiles().find(({ endpoint }) => endpoint === "a")?.firstOutput.samples ?? 0;
    const turn = await call();
    expect(turn.attempts.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`)).toEqual([
      "a hedge_lost",
      "b complete",
    ]);
    const a = stats.percentiles().find(({ endpoint }) => endpoint === "a");
    expect(a?.firstOutput.samples).toBe(before + 1);
    expect(a?.failures).toEqual({});
    // It was silent for 800 ms, then for as long as the other one took.
    expect(Math.abs((a?.firstOutput.p999Ms ?? 0) / 1_000 - 1)).toBeLessThan(0.02);
  }, 60_000);
});
