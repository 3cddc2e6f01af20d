/** A terminal that remembers what it was told, and records of calls whose times are exact. */
import type { Io } from "../../src/cli/io.ts";
import { type CallRecord, createClient, type Endpoint } from "../../src/index.ts";
import { type Scripts, scriptedFetch, VirtualClock } from "../../src/testing.ts";

export interface Told extends Io {
  readonly lines: string[];
  readonly complaints: string[];
  readonly shown: string[];
  /** Everything, whoever it was for. */
  readonly all: string;
}

export function told(env: Readonly<Record<string, string | undefined>> = {}): Told {
  const lines: string[] = [];
  const complaints: string[] = [];
  const shown: string[] = [];
  return {
    lines,
    complaints,
    shown,
    get all() {
      return [...lines, ...complaints, ...shown].join("\n");
    },
    out: (line) => void lines.push(line),
    err: (line) => void complaints.push(line),
    progress: (line) => void shown.push(line),
    columns: 80,
    paint: (_, text) => text,
    env,
  };
}

export const never = () => new AbortController().signal;

const CHAT = "/v1/chat/completions";

/** One call on virtual time; endpoints are the scripts' names, in order. */
export async function recordOf(scripts: Scripts): Promise<CallRecord> {
  const clock = new VirtualClock();
  const names = Object.keys(scripts);
  const hosts = Object.fromEntries(names.map((name) => [`https://${name}.test`, scripts[name] ?? []]));
  const endpoints = names.map(
    (name): Endpoint => ({ name, protocol: "openai-chat", url: `https://${name}.test${CHAT}`, model: "m" }),
  );
  const records: CallRecord[] = [];
  const client = createClient({
    clock,
    endpoints,
    fetch: scriptedFetch(hosts, { clock }),
    random: () => 0.5,
    observers: [{ callEnd: (_, record) => void records.push(record) }],
  });
  const call = client.turn({ messages: [] }).catch(() => null);
  await clock.runAll();
  await call;
  return records[0] as CallRecord;
}
