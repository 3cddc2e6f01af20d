/** Answers as the bytes of HTTP/1.1, built once per plan: one HTTP chunk per event, as providers flush them. */
import { eventsOf } from "./events.ts";
import type { Dialect, Plan } from "./plan.ts";

export interface WireAnswer {
  /** One HTTP chunk each. */
  readonly chunks: readonly Buffer[];
  /** The same in writes of about 64 KiB. */
  readonly writes: readonly Buffer[];
  readonly payloadBytes: number;
}

export const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const WRITE_BYTES = 65_536;

const built = new Map<string, WireAnswer>();

export function answerOf(dialect: Dialect, plan: Plan): WireAnswer {
  const key = `${dialect} ${JSON.stringify(plan)}`;
  const answer = built.get(key) ?? build(dialect, plan);
  built.set(key, answer);
  return answer;
}

function build(dialect: Dialect, plan: Plan): WireAnswer {
  const chunks: Buffer[] = [];
  let payloadBytes = 0;
  for (const event of eventsOf(dialect, plan)) {
    const bytes = Buffer.byteLength(event);
    payloadBytes += bytes;
    chunks.push(Buffer.from(`${bytes.toString(16)}\r\n${event}\r\n`));
  }
  return { chunks, writes: plan.gapMs ? [] : joined([...chunks, LAST_CHUNK]), payloadBytes };
}

function joined(chunks: readonly Buffer[]): Buffer[] {
  const writes: Buffer[] = [];
  let held: Buffer[] = [];
  let size = 0;
  for (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < WRITE_BYTES) continue;
    writes.push(Buffer.concat(held));
    held = [];
    size = 0;
  }
  return [...writes, Buffer.concat(held)];
}
