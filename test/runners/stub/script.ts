/** What a case makes its stub send, the same for the socket and the in-memory stub. */
import type { Answer, Step, StreamCase } from "../format.ts";

/** What a stub saw. Plain data, so that it can cross a process boundary. */
export interface StubLog {
  readonly requests: Record<string, number>;
  readonly bodies: string[];
  /** Names of the headers of each request. */
  readonly headerNames: string[][];
  readonly connections: number[];
  /** Connections that the client closed while the script had left them open, `afterMs` since their request. */
  readonly closes: { readonly endpoint: string; readonly afterMs: number }[];
  /** Reads of the in-memory body. */
  pulls: number;
}

export interface Stub {
  /** URL prefix; the first path segment names the endpoint. */
  readonly base: string;
  /** Absent for a stub with a real socket. */
  readonly fetch?: typeof globalThis.fetch;
  log(): Promise<StubLog>;
  close(): Promise<void>;
}

export const emptyLog = (): StubLog => ({
  requests: {},
  bodies: [],
  headerNames: [],
  connections: [],
  closes: [],
  pulls: 0,
});

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Taken once: a case may make `Date.now` jump. */
const wallNow = Date.now;

/** Fills in `{{httpDate:±seconds}}`. */
export function headersOf(answer: Answer): Record<string, string> {
  const fill = (value: string) =>
    value.replace(/\{\{httpDate:([+-]?\d+)\}\}/g, (_, seconds) =>
      new Date(wallNow() + Number(seconds) * 1000).toUTCString(),
    );
  return Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, fill(value)]));
}

const unscripted: Answer = { status: 599, headers: {}, steps: [{ close: true }] };

export const endpointOf = (url: string) => new URL(url, "http://stub").pathname.split("/")[1] || "A";

/** Counts the request and says how it is answered; the last answer of an endpoint repeats. */
export function answerTo(script: StreamCase, endpoint: string, log: StubLog): Answer {
  const nth = (log.requests[endpoint] ?? 0) + 1;
  log.requests[endpoint] = nth;
  const answers = script.targets ? (script.targets[endpoint] ?? []) : endpoint === "A" ? [script] : [];
  return answers[Math.min(nth, answers.length) - 1] ?? unscripted;
}

export interface Write {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gapMs: number;
}

/** Copies out of Node's shared pool, so that nobody can see beyond the chunk. */
const bytesOf = (text: string, encoding: BufferEncoding) => new Uint8Array(Buffer.from(text, encoding));

/** Every write that a `send` or `sendHex` step makes; each is one chunk. */
export function* writesOf(step: Step): Generator<Write> {
  if (step.sendHex !== undefined) yield { bytes: bytesOf(step.sendHex, "hex"), gapMs: 0 };
  if (step.send === undefined) return;
  const times = step.times ?? 1;
  if (step.join) {
    yield { bytes: bytesOf(step.send.repeat(times), "utf8"), gapMs: 0 };
    return;
  }
  const bytes = bytesOf(step.send, "utf8");
  for (let nth = 0; nth < times; nth++) yield { bytes: bytes.slice(), gapMs: nth === 0 ? 0 : (step.everyMs ?? 0) };
}
