/** A library that does no work: it answers every call as it is told, so that the comparisons themselves can be tried. */
import type { Attempt, CompleteTurn, Failure, IncompleteTurn, StreamEvent, Timing, Turn } from "../../src/index.ts";
import type { Library } from "./library.ts";

export const timing: Timing = {
  connectMs: null,
  headersMs: 20,
  firstByteMs: 30,
  firstEventMs: 30,
  firstOutputMs: 40,
  ttftMs: 50,
  totalMs: 60,
  maxGapMs: null,
  contentChunks: 1,
  events: 3,
  keepAlives: 0,
  bytes: 100,
  suspendedMs: 0,
  firstTokenLimitExceeded: false,
  firstOutputEvent: 1,
  firstContentEvent: 2,
};

export const failure = (fields: Partial<Failure>): Failure => ({
  reason: "provider_error",
  message: "the provider failed",
  providerMessage: null,
  status: 502,
  httpStatus: 200,
  contentType: null,
  rawStopReason: null,
  providerType: null,
  providerCode: null,
  retryAfterMs: null,
  shouldRetry: null,
  cause: null,
  ...fields,
});

export const attempt = (fields: Partial<Attempt>): Attempt => ({
  index: 0,
  endpoint: "A",
  kind: "initial",
  outcome: "complete",
  startMs: 0,
  backoffMs: 0,
  dispatched: true,
  status: 200,
  httpStatus: 200,
  requestId: null,
  gate: "opened",
  failure: null,
  timing,
  ...fields,
});

const meta = {
  callId: "fake",
  id: null,
  requestId: null,
  label: null,
  protocol: "openai-chat",
  requestProtocol: "openai-chat",
  endpoint: "A",
  model: null,
  rawStopReason: "stop",
  usage: { inputTokens: 3, outputTokens: 4, cachedInputTokens: null, reasoningTokens: null },
  timing,
  attempts: [attempt({})],
  skipped: [],
  lastEvent: null,
  successSignal: true,
  ignoredChoices: 0,
  annotations: {},
  unterminatedFinalEvent: false,
  streamed: true,
  restartOf: null,
  output: [],
  toJSON: () => ({}) as never,
};

export const complete = (fields: Partial<CompleteTurn> = {}): CompleteTurn => ({
  ...meta,
  status: "complete",
  text: "Hello",
  reasoning: "",
  refusal: "",
  toolCalls: [],
  stopReason: "stop",
  hasInvalidToolCalls: false,
  ...fields,
});

export const incomplete = (fields: Partial<IncompleteTurn> = {}): IncompleteTurn => ({
  ...meta,
  status: "incomplete",
  reason: "connection_lost",
  terminal: false,
  partialText: "Hello",
  partialReasoning: "",
  partialRefusal: "",
  toolFragments: [],
  stopReason: null,
  error: failure({ reason: "connection_lost" }),
  ...fields,
});

/** How a call ends: with a turn, or with nothing. */
export type Ending = { readonly turn: Turn } | { readonly failed: Failure; readonly attempts?: readonly Attempt[] };

class FakeCallError extends Error {
  readonly code = "provider_error";
  readonly callId = "fake";
  readonly skipped = [];
  readonly timing = timing;
  readonly failure: Failure;
  readonly attempts: readonly Attempt[];
  readonly retryAfterMs: number | null;
  readonly budgetExhausted: boolean;
  constructor(ending: Extract<Ending, { failed: Failure }>) {
    super("nothing came");
    this.failure = ending.failed;
    this.attempts = ending.attempts ?? [attempt({ outcome: ending.failed.reason, failure: ending.failed })];
    this.retryAfterMs = ending.failed.retryAfterMs;
    this.budgetExhausted = false;
  }
}

class FakeIncompleteTurnError extends Error {}

/** Asks its `fetch` once and reads nothing of the answer. */
export function fakeLibrary(ending: Ending): Library {
  const createClient = ({ endpoints, fetch = globalThis.fetch }: any) => ({
    health: () => ({ A: "closed" }),
    async stream(body: object) {
      const [{ url, headers }] = endpoints;
      await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
      if ("failed" in ending) throw new FakeCallError(ending);
      return streamOf(ending.turn);
    },
  });
  return { createClient, CallError: FakeCallError, findTtftError: asOurs, executableToolCalls: execute } as never;
}

const asOurs = (error: unknown) =>
  error instanceof FakeCallError || error instanceof FakeIncompleteTurnError ? error : null;

function execute(turn: CompleteTurn) {
  if (turn.status !== "complete") throw new TypeError("not a complete turn");
  return turn.toolCalls.map(({ id, index, name, arguments: text }) => ({
    id,
    index,
    name,
    input: JSON.parse(text || "{}"),
  }));
}

function streamOf(turn: Turn) {
  let consumed = false;
  return {
    turn: async () => turn,
    async *[Symbol.asyncIterator](): AsyncGenerator<Partial<StreamEvent>> {
      if (consumed) throw Object.assign(new TypeError("read twice"), { code: "stream_already_consumed" });
      consumed = true;
      const text = turn.status === "complete" ? turn.text : turn.partialText;
      if (text) yield { type: "text", text };
      if (turn.status === "incomplete") throw new FakeIncompleteTurnError();
    },
  };
}
