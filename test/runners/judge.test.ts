import { describe, expect, it } from "vitest";
import { judge } from "./expect/judge.ts";
import { attempt, complete, type Ending, failure, fakeLibrary, incomplete } from "./fake-library.ts";
import type { CaseClient, Expectation, StreamCase } from "./format.ts";
import { plansFor } from "./plan.ts";
import { play } from "./play/run.ts";

const script = (expected: Expectation, client: Partial<CaseClient> = {}): StreamCase => ({
  format: "stream-case/1",
  id: "Z000",
  url: "https://example.com",
  product: "none",
  kind: "A completeness",
  summary: "none",
  protocol: "openai-chat",
  status: 200,
  headers: { "content-type": "text/event-stream" },
  steps: [{ send: "data: [DONE]\n\n" }, { close: true }],
  client: { action: "consume", ...client },
  expect: expected,
});

async function problems(ending: Ending, expected: Expectation, client?: Partial<CaseClient>): Promise<string[]> {
  const loaded = { library: fakeLibrary(ending), otel: null, openai: null };
  const found = [];
  for (const plan of plansFor(script(expected, client))) found.push(...judge(await play(plan, loaded)));
  return [...new Set(found.map(({ key }) => key))];
}

const called = { id: "c1", index: 0, name: "look_up", arguments: '{"q":1}', providerExecuted: false };
const good: Ending = { turn: complete({ toolCalls: [called] }) };
const cut: Ending = {
  turn: incomplete({ toolFragments: [{ id: "c1", index: 0, name: "f", argumentsFragment: '{"q' }] }),
};
const refused: Ending = {
  failed: failure({
    reason: "http_error",
    status: 429,
    providerType: "rate_limit_error",
    providerCode: "rate_limit_exceeded",
    providerMessage: "too many of them",
    contentType: "application/json; charset=utf-8",
    retryAfterMs: 1000,
    cause: Object.assign(new Error("outer"), { cause: { code: "ECONNRESET" } }),
  }),
};

type Row = readonly [key: string, ending: Ending, right: object, wrong: object];

const rows: readonly Row[] = [
  ["outcome", good, { outcome: "complete" }, { outcome: "incomplete", reason: "empty" }],
  ["reason", cut, { reason: "connection_lost" }, { reason: "empty" }],
  ["reason", refused, { reason: "http_error" }, { reason: "refused" }],
  ["text", good, { text: "Hello" }, { text: "Hell" }],
  ["textLength", good, { textLength: 5 }, { textLength: 4 }],
  ["reasoning", good, { reasoning: "" }, { reasoning: "hm" }],
  ["finishReason", good, { finishReason: "stop" }, { finishReason: null }],
  ["finishReason", refused, { finishReason: null }, { finishReason: "stop" }],
  ["usage", good, { usage: { input: 3, output: 4 } }, { usage: { input: 4, output: 3 } }],
  ["streamed", { turn: complete({ streamed: false }) }, { streamed: false }, {}],
  ["ttftFromEvent", good, { ttftFromEvent: 2 }, { ttftFromEvent: null }],
  ["firstOutputFromEvent", good, { firstOutputFromEvent: 1 }, { firstOutputFromEvent: 2 }],
  ["ttftMs", good, { ttftMs: { min: 50, max: 50 } }, { ttftMs: { max: 49 } }],
  ["ttftMs", { turn: complete({ timing: { ...complete().timing, ttftMs: null } }) }, { ttftMs: null }, { ttftMs: {} }],
  ["headersMs", good, { headersMs: { max: 20 } }, { headersMs: { min: 21 } }],
  ["settleMs", good, { settleMs: { max: 2000 } }, { settleMs: { min: 5000 } }],
  ["served", good, { served: "A" }, { served: "B" }],
  ["requests.A", good, { requests: { A: 1 } }, { requests: { A: { min: 2 } } }],
  ["requests.B", good, { requests: { B: 0 } }, { requests: { B: 1 } }],
  ["breaker.A", good, { breaker: { A: "closed" } }, { breaker: { A: "open" } }],
  ["skipped", good, { skipped: [] }, { skipped: [{ endpoint: "B", why: "capability" }] }],
  [
    "attempts",
    good,
    { attempts: [{ endpoint: "A", outcome: "complete" }] },
    { attempts: [{ endpoint: "A", reason: "empty" }] },
  ],
  ["attempts", refused, { attempts: [{ endpoint: "A", reason: "http_error", status: 429 }] }, { attempts: [] }],
  ["error.status", refused, { error: { status: 429 } }, { error: { status: 500 } }],
  ["error.providerType", refused, { error: { providerType: "rate_limit_error" } }, { error: { providerType: "x" } }],
  ["error.providerCode", refused, { error: { providerCode: "rate_limit_exceeded" } }, { error: { providerCode: "x" } }],
  ["error.messageIncludes", refused, { error: { messageIncludes: "too many" } }, { error: { messageIncludes: "few" } }],
  ["error.contentType", refused, { error: { contentType: "application/json" } }, { error: { contentType: "x" } }],
  ["error.retryAfterMs", refused, { error: { retryAfterMs: 1000 } }, { error: { retryAfterMs: 1 } }],
  ["error.causeCode", refused, { error: { causeCode: "ECONNRESET" } }, { error: { causeCode: "EPIPE" } }],
  ["error.hasCause", refused, { error: { hasCause: true } }, {}],
  ["error.fallbackEligible", refused, {}, { error: { fallbackEligible: true } }],
  ["error.budgetExhausted", refused, {}, { error: { budgetExhausted: true } }],
  ["error.causeIsAbortReason", refused, {}, { error: { causeIsAbortReason: true } }],
  [
    "flags",
    { turn: complete({ hasInvalidToolCalls: true }) },
    { flags: ["hasInvalidToolCalls"] },
    { flags: ["unterminatedFinalEvent"] },
  ],
  ["server.distinctConnections", good, { server: { distinctConnections: 1 } }, { server: { distinctConnections: 2 } }],
  ["server.clientClosedWithinMs", good, {}, { server: { clientClosedWithinMs: 50 } }],
  ["server.identicalBodies", good, { server: { identicalBodies: true } }, {}],
  [
    "server.addedRequestHeaders",
    good,
    { server: { addedRequestHeaders: [] } },
    { server: { addedRequestHeaders: ["x-a"] } },
  ],
  [
    "timingsFinite",
    { turn: complete({ timing: { ...complete().timing, bytes: Number.NaN } }) },
    {},
    { timingsFinite: true },
  ],
  ["secondConsumer", good, {}, { secondConsumer: "throws" }],
  ["check", good, { check: "behaviour" }, {}],
];

describe("the judge", () => {
  it.each(rows)("agrees with the right %s and objects to a wrong one", async (key, ending, right, wrong) => {
    const outcome = "failed" in ending ? "error" : ending.turn.status;
    expect(await problems(ending, { outcome, ...right })).toEqual([]);
    if (Object.keys(wrong).length) expect(await problems(ending, { outcome, ...wrong })).toContain(key);
  });

  it("compares the calls of a turn in order, their arguments, and whether they may be run", async () => {
    const tool = { id: "c1", name: "look_up", args: { q: 1 }, executable: true };
    expect(await problems(good, { outcome: "complete", toolCalls: [tool] })).toEqual([]);
    expect(await problems(good, { outcome: "complete", toolCalls: [] })).toEqual(["toolCalls"]);
    const others = { ...tool, args: { q: 2 }, executable: false };
    expect(await problems(good, { outcome: "complete", toolCalls: [others] })).toEqual([
      "toolCalls[0].args",
      "toolCalls[0].executable",
    ]);
    const piece = { id: "c1", name: "f", rawArgs: '{"q', executable: false };
    expect(await problems(cut, { outcome: "incomplete", reason: "connection_lost", toolCalls: [piece] })).toEqual([]);
    const whole = { ...piece, rawArgs: "{}", executable: true };
    expect(await problems(cut, { outcome: "incomplete", reason: "connection_lost", toolCalls: [whole] })).toEqual([
      "toolCalls[0].rawArgs",
      "toolCalls[0].executable",
    ]);
  });

  it("objects to an expectation that it does not know", async () => {
    expect(await problems(good, { outcome: "complete", tone: "kind" } as never)).toEqual(["tone"]);
    expect(await problems(refused, { outcome: "error", error: { tone: "rude" } } as never)).toEqual(["error.tone"]);
  });

  it("accepts a second iteration only if it fails", async () => {
    const twice = { action: "consumeTwice" } as const;
    expect(await problems(good, { outcome: "complete", secondConsumer: "throws" }, twice)).toEqual([]);
    expect(await problems(good, { outcome: "complete", secondConsumer: "throws" })).toEqual(["secondConsumer"]);
  });

  it("holds every call of a repetition to the expectation, and counts requests over all of them", async () => {
    const thrice = { action: "repeat", n: 3, sequential: true } as const;
    expect(await problems(good, { outcome: "complete", requests: { A: 3 } }, thrice)).toEqual([]);
    expect(await problems(good, { outcome: "complete", text: "Hi" }, thrice)).toContain("call 3: text");
  });

  it("sees what a call leaves behind", async () => {
    const untidy = fakeLibrary(good);
    const createClient: any = (options: any) => {
      const client: any = untidy.createClient?.(options);
      return {
        ...client,
        stream(body: object, { signal }: { readonly signal: AbortSignal }) {
          signal.addEventListener("abort", () => {});
          options.clock.after(5000, () => {});
          process.emitWarning("untidy");
          return client.stream(body);
        },
      };
    };
    const expected = { outcome: "complete", process: { abortListeners: 0, pendingTimers: 0, warnings: 0 } } as const;
    expect(await problems(good, expected)).toEqual([]);
    const [plan] = plansFor(script(expected));
    if (!plan) throw new Error("no plan");
    const played = await play(plan, { library: { ...untidy, createClient }, otel: null, openai: null });
    expect(judge(played).map(({ key }) => key)).toEqual([
      "process.abortListeners",
      "process.pendingTimers",
      "process.warnings",
    ]);
  });

  it("shows an attempt that did not serve by its reason", async () => {
    const failed = attempt({ outcome: "empty", failure: failure({ reason: "empty", status: 502 }) });
    const second: Ending = { turn: complete({ attempts: [failed, attempt({ endpoint: "B" })], endpoint: "B" }) };
    const attempts = [
      { endpoint: "A", reason: "empty", status: 502 } as const,
      { endpoint: "B", outcome: "complete" } as const,
    ];
    expect(await problems(second, { outcome: "complete", attempts })).toEqual([]);
    expect(await problems(second, { outcome: "complete", attempts: attempts.slice(1) })).toEqual(["attempts"]);
  });
});
