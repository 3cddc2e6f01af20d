/** Recorded streams through the drop-in, in slices of several sizes; skipped where there are no recordings. */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createFetch } from "../../src/client/fetch.ts";
import { turnOf } from "../../src/client/relay.ts";
import type { ProtocolName } from "../../src/protocol/protocol.ts";
import { type Expectations, readExpectations, readIndex, readRecording } from "../runners/corpus/recording.ts";
import { sentBodyOf, urlOf } from "../runners/play/requests.ts";
import { framingOf, holdsSuccess, isSuccess, rawEvents } from "../runners/stub/bytes-reader.ts";
import { answering, readAll, sliced } from "./drop-in.ts";

const folder = resolve(process.env.TTFT_CORPUS ?? fileURLToPath(new URL("../corpus", import.meta.url)));
const index = await readIndex(folder);
const all: Expectations = index ? await readExpectations(folder) : {};

test.skipIf(index !== null)(`no recordings in ${folder}: set TTFT_CORPUS`, ({ skip }) => skip());

describe.runIf(index !== null)("the body read is the bytes sent, chunk for chunk", () => {
  for (const { file } of index ?? []) test(file, () => check(file));
});

async function check(file: string): Promise<void> {
  const { bytes, expected } = await readRecording(folder, file, all);
  for (const size of [7, 1_000, bytes.length]) {
    const chunks = sliced(bytes, size);
    const response = await play(chunks, expected.protocol, expected.source.http_status ?? 200);
    const turn = turnOf(response);
    if (turn === null) {
      expect(response.status).toBeGreaterThanOrEqual(400);
      continue;
    }
    const { chunks: read, error } = await readAll(response);
    expect(Buffer.concat(read).equals(Buffer.concat(chunks.slice(0, read.length)))).toBe(true);
    expect(read.map(({ length }) => length)).toEqual(chunks.slice(0, read.length).map(({ length }) => length));
    const { status, reason } = (await turn) as { status: string; reason?: string };
    const isCut = status === "incomplete" && !((await turn) as { terminal: boolean }).terminal;
    expect(error === undefined, `${status} ${reason}`).toBe(!isCut);
    if (isCut) expect(error).toMatchObject({ name: "IncompleteTurnError", code: reason });
    if (read.length < chunks.length) expectEndsAtSignal(expected.protocol, read, isCut);
  }
}

/** Read with another reader than the library's: the signal is in the last read and not before it. */
function expectEndsAtSignal(protocol: ProtocolName, read: readonly Uint8Array[], isCut: boolean): void {
  const before = [...rawEvents(Buffer.concat(read.slice(0, -1)), framingOf(protocol))];
  if (!isCut && protocol !== "gemini" && protocol !== "openai-responses")
    expect(holdsSuccess(protocol, Buffer.concat(read))).toBe(true);
  if (protocol !== "gemini")
    expect(before.some(({ closedAt, data }) => closedAt !== null && isSuccess(protocol, data))).toBe(false);
}

function play(chunks: readonly Uint8Array[], protocol: ProtocolName, status: number): Promise<Response> {
  const first = Buffer.from(chunks[0] ?? [])
    .toString()
    .trimStart()[0];
  const type = first === "{" || first === "[" ? "application/json" : "text/event-stream";
  const fetch = createFetch({
    fetch: answering(chunks, { status, headers: { "content-type": type } }),
    primary: { protocol },
    retry: { maxRetries: 0 },
  });
  const body = JSON.stringify(sentBodyOf(protocol, { action: "consume" }));
  return fetch(urlOf("https://a.test", "A", protocol), { method: "POST", body });
}
