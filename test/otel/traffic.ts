/** 500 calls on real sockets with known failures, and what each of them came to by our own account. */
import { type CallRecord, createClient, type Observer } from "../../src/index.ts";
import { createStub, type Script, type Stub } from "../../src/testing.ts";

export const BATCHES = 2;
export const CALLS = 250;
/** Of each batch: calls whose first endpoint fails, and those of them that the second fails, too. */
export const FAILOVERS = 40;
export const FAILURES = 15;
const AT_ONCE = 10;

const pathOf = (name: string) => `/${name}/v1/chat/completions`;
const endpointAt = (stub: Stub) => (name: string) => {
  return { name, protocol: "openai-chat" as const, url: stub.url(pathOf(name)), model: "model-1" };
};

/** Evenly spread: `share` of `whole` are true. */
const every = (at: number, share: number, whole: number) =>
  Math.floor(((at + 1) * share) / whole) > Math.floor((at * share) / whole);

/** Most answers begin soon, some late, as they do. */
const answer = (at: number): Script => [
  { waitMs: 20 + (at % 10) ** 3 },
  { reasoning: "hm" },
  { waitMs: 30 },
  "one",
  { waitMs: 10 },
  "two",
];

/** One provider for all batches, so that all series are the same. */
export function startProvider(): Promise<Stub> {
  return createStub({
    [pathOf("first")]: Array.from({ length: BATCHES * CALLS }, (_, at) =>
      every(at, FAILOVERS, CALLS) ? [{ error: "overloaded_error" }] : answer(at),
    ),
    [pathOf("second")]: Array.from({ length: BATCHES * FAILOVERS }, (_, at) =>
      every(at, FAILURES, FAILOVERS) ? [{ status: 418, body: {} }] : answer(at),
    ),
    [pathOf("broken")]: [{ error: "server_error" }],
  });
}

/** A batch: what its calls came to. */
export async function drive(observer: Observer, stub: Stub): Promise<CallRecord[]> {
  const records: CallRecord[] = [];
  const endpoint = endpointAt(stub);
  const observers = [observer, { callEnd: (_: unknown, record: CallRecord) => void records.push(record) }];
  const shared = { observers, hedge: false as const, retry: { maxRetries: 0 } };
  const toolless = { ...endpoint("second"), capabilities: { tools: false } };
  const client = createClient({ ...shared, endpoints: [endpoint("first"), toolless], breaker: false });
  let left = CALLS;
  const worker = async () => {
    while (left-- > 0) await client.turn({ messages: [] }, { promptTokens: left % 2 ? 100 : 5_000 }).catch(() => null);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const breaking = { consecutiveFailures: 2, minSpanMs: 0 };
  const broken = createClient({ ...shared, endpoints: [toolless, endpoint("broken")], breaker: breaking });
  for (let n = 0; n < 2; n++) await broken.turn({ tools: [{ type: "function" }] }).catch(() => null);
  return records;
}
