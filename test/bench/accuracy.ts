/**
 * `npm run accuracy`: how far `ttftMs` lies behind the moment at which the server wrote the first content byte. Client,
 * server and a loop over plain `fetch` share one process and one clock; the three ways of reading take turns, so that a
 * busy moment meets all of them. Not for CI: it times real sockets.
 */
import { createClient } from "../../src/index.ts";
import { createStub, type Script, type Stub, scriptedFetch, VirtualClock } from "../../src/testing.ts";
import { type Column, printed, type Way } from "./accuracy-report.ts";

const PATH = "/v1/chat/completions";
const CALLS = 500;
const WORKERS = 4;
const SLEEP_MS = 50;
const LARGEST_DIFFERENCE_MS = 1;

/** A role chunk, keep-alives and reasoning come first; a consumer has events to dawdle over before there is content. */
const SCRIPT: Script = [
  "",
  { keepAlive: 3, everyMs: 3 },
  { reasoning: "one" },
  { waitMs: 4 },
  { reasoning: "two" },
  { waitMs: 4 },
  { reasoning: "three" },
  { waitMs: 15 },
  "Hello",
  { waitMs: 5 },
  " world",
];
/** How many writes the server makes before the first content: those of the script up to there. */
async function writesBeforeContent(): Promise<number> {
  const clock = new VirtualClock();
  const fetch = scriptedFetch({ [PATH]: [...SCRIPT.slice(0, SCRIPT.indexOf("Hello")), { end: "hold" }] }, { clock });
  await fetch(`http://localhost${PATH}`, { method: "POST", body: '{"stream":true}' });
  await clock.runAll();
  return fetch.requests[0]?.sent.length ?? 0;
}

/** Milliseconds from the server's write to the reader's stamp. */
async function delayOf(stub: Stub, id: number, stamp: (url: string) => Promise<number>): Promise<number> {
  const url = stub.url(`${PATH}?call=${id}`);
  const stampedAt = await stamp(url);
  const request = stub.requests.find((entry) => entry.url === url);
  const write = request?.sent[contentWrite];
  if (!write) throw new Error("the server has not written the content");
  return stampedAt - write.atMs;
}

const body = { messages: [{ role: "user", content: "Hi" }] };

/** The least that finds the first content. */
async function stampOfFetch(url: string): Promise<number> {
  const init = { method: "POST", body: JSON.stringify({ ...body, stream: true }) };
  const reader = (await fetch(url, init)).body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let at = 0;
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
    const now = performance.now();
    text += decoder.decode(read.value, { stream: true });
    if (at === 0 && text.includes('"content":"Hello"')) at = now;
  }
  return at;
}

/** `ttftMs` on the clock of the process; the consumer takes so long over each event. */
const stampOfTtft = (sleepMs: number) => async (url: string) => {
  const client = createClient({ endpoints: [{ protocol: "openai-chat", url, model: "m" }], retry: { maxRetries: 0 } });
  const startedAt = performance.now();
  const stream = await client.stream(body);
  for await (const _ of stream) if (sleepMs > 0) await new Promise((resolve) => setTimeout(resolve, sleepMs));
  const { ttftMs } = (await stream.turn()).timing;
  if (ttftMs === null) throw new Error("the answer has no content");
  return startedAt + ttftMs;
};

const WAYS: Readonly<Record<Way, (url: string) => Promise<number>>> = {
  "plain fetch": stampOfFetch,
  ttft: stampOfTtft(0),
  [`ttft, ${SLEEP_MS} ms per event`]: stampOfTtft(SLEEP_MS),
};

async function measured(stub: Stub): Promise<Column[]> {
  const delays = Object.keys(WAYS).map((): number[] => []);
  let left = CALLS;
  let id = 0;
  const worker = async () => {
    while (left-- > 0) {
      for (const [at, stamp] of Object.values(WAYS).entries()) {
        delays[at]?.push(await delayOf(stub, id++, stamp));
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return Object.keys(WAYS).map((way, at) => ({ way: way as Way, delays: delays[at] ?? [] }));
}

const contentWrite = await writesBeforeContent();
const stub = await createStub({ [PATH]: SCRIPT });
// What the first requests load and compile is no delay of theirs.
for (let id = -20; id < 0; id++) for (const stamp of Object.values(WAYS).slice(0, 2)) await delayOf(stub, id, stamp);
const { lines, differences } = printed(await measured(stub));
await stub.close();
for (const line of lines) console.log(line);
const near = differences.every((ms) => Math.abs(ms) <= LARGEST_DIFFERENCE_MS);
console.log(`${near ? "ok  " : "OVER"} at most ${LARGEST_DIFFERENCE_MS} ms`);
process.exit(near ? 0 : 1);
