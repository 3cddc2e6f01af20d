import { describe, expect, it } from "vitest";
import { createBodyDecoder } from "../../src/wire/body.ts";
import type { FrameDecoder } from "../../src/wire/frame.ts";
import { scanJson } from "../../src/wire/json.ts";
import { createNdjsonDecoder } from "../../src/wire/ndjson.ts";
import { createSseDecoder } from "../../src/wire/sse.ts";
import { bytesOf, type CreateDecoder, type Heard, Recorder, sliced } from "./recorder.ts";

const KIB = 1024;
const MIB = KIB * KIB;
const sse =
  (maxEventBytes: number): CreateDecoder =>
  (sink) =>
    createSseDecoder(sink, { maxEventBytes });
const ndjson =
  (maxEventBytes: number): CreateDecoder =>
  (sink) =>
    createNdjsonDecoder(sink, { maxEventBytes });
const body =
  (maxEventBytes: number, framing: "sse" | "ndjson" = "sse"): CreateDecoder =>
  (sink) =>
    createBodyDecoder({ framing, maxEventBytes, sink });

/** Feeds `piece` until a fault or `maxBytes`; how many bytes were taken before the fault. */
function flood(create: CreateDecoder, first: string, piece: string, maxBytes: number): number | null {
  const sink = new Recorder();
  const decoder = create(sink);
  decoder.feed(bytesOf(first));
  const chunk = bytesOf(piece);
  for (let fed = 0; fed < maxBytes; fed += chunk.length) {
    decoder.feed(chunk);
    if (isFault(sink.heard.at(-1))) {
      expectOver(sink, decoder);
      return fed + chunk.length;
    }
  }
  return null;
}

const isFault = (heard: Heard | undefined): boolean => typeof heard === "object" && "fault" in heard;

function expectOver(sink: Recorder, decoder: FrameDecoder): void {
  expect(sink.heard.at(-1)).toEqual({ fault: "too_large" });
  const { length } = sink.heard;
  decoder.feed(bytesOf("\n\ndata: 1\n\n{}\n: ping\n"));
  expect(decoder.end()).toBe(false);
  expect(sink.heard).toHaveLength(length);
}

describe("an event, line or document past its bound is too_large, once, and the last thing heard", () => {
  const max = 16 * KIB;
  it.each<[string, CreateDecoder, first: string, piece: string]>([
    ["a data line that never ends", sse(max), "data: ", "x".repeat(100)],
    ["a comment that never ends", sse(max), ": ", "x"],
    ["an unknown line that never ends", sse(max), "", "x".repeat(100)],
    ["an event of endless small data lines", sse(max), "", "data:\n"],
    ["an event of endless small data lines with CRLF", sse(max), "", "data: a\r\n"],
    ["an event of data lines with comments between them", sse(max), "", "data: a\n:\n"],
    ["an event of endless fields", sse(max), "data: 1\n", "id: 1\nevent: x\n"],
    ["bare JSON that never ends", sse(max), "{\n", '"a": [\n\n'],
    ["an NDJSON line that never ends", ndjson(max), "", "x"],
    ["a document that never ends", body(max), "[", "1,"],
  ])("%s", (_name, create, first, piece) => {
    const taken = flood(create, first, piece, 4 * max);
    expect(taken).toBeGreaterThan(max / 2);
    expect(taken).toBeLessThanOrEqual(1.5 * max);
  });

  it("also if it comes whole in one chunk, after what came before it", () => {
    for (const [create, wire] of [
      [sse(max), `data: 1\n\ndata: ${"x".repeat(max + 1)}\n\ndata: 2\n\n`],
      [sse(max), `data: 1\n\nerror: ${"x".repeat(max + 1)}\n\n`],
      [sse(max), `data: 1\n\n{"a":"${"x".repeat(max)}"}\n\n`],
      [ndjson(max), `1\n${"x".repeat(max + 1)}\n2\n`],
    ] as const) {
      const sink = new Recorder();
      const decoder = create(sink);
      decoder.feed(bytesOf(wire));
      expect(sink.heard).toEqual([{ frame: ["", "1"] }, { fault: "too_large" }]);
      expectOver(sink, decoder);
    }
  });

  it("but not at the bound itself, nor for many events that are large together", () => {
    for (const [create, wire] of [
      [sse(max), `data: ${"x".repeat(max)}\n\n`],
      [sse(max), `data: ${"x".repeat(1000)}\n\n`.repeat(100)],
      [ndjson(max), `${"x".repeat(max)}\n`],
      [ndjson(max), `${"x".repeat(1000)}\n`.repeat(100)],
    ] as const) {
      const sink = new Recorder();
      create(sink).feed(bytesOf(wire));
      expect(sink.heard.every((each) => typeof each === "object" && "frame" in each)).toBe(true);
    }
  });

  it("and not for what holds nothing: comments, blank lines, white space before the first byte", () => {
    expect(flood(sse(max), "", ": ping\n\n", 16 * max)).toBeNull();
    expect(flood(sse(max), "", ":\n", 4 * max)).toBeNull();
    expect(flood(sse(max), "", "\r\n\r\n", 16 * max)).toBeNull();
    expect(flood(sse(max), "", "data: 1\n\n", 16 * max)).toBeNull();
    expect(flood(sse(max), "", "data: 1\n\ndata: 2\n", 16 * max)).toBeNull();
    expect(flood(ndjson(max), "", "\n", 4 * max)).toBeNull();
    expect(flood(body(max), "", "   \n", 16 * max)).toBeNull();
  });
});

/** CPU time in µs, the best of three: what a slower moment of the machine adds is no cost of ours. */
function cost(run: () => void): number {
  return Math.min(
    ...[1, 2, 3].map(() => {
      const before = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(before);
      return user + system;
    }),
  );
}

/** Sixteen times the input costs about as many times as much; quadratic work would cost 256 times as much. */
function expectLinear(runOf: (size: number) => () => void, size: number): void {
  const [part, full] = [runOf(size / 16), runOf(size)];
  part();
  expect(cost(full) / Math.max(cost(part), 500)).toBeLessThan(64);
}

function feeding(create: CreateDecoder, wire: string, size: number, frames: number): () => void {
  const chunks = [...sliced(bytesOf(wire), size)];
  return () => {
    let heard = 0;
    const count = () => void heard++;
    const decoder = create(
      Object.assign(new Recorder(), { frame: count, fault: count, document: count, comment() {} }),
    );
    for (const chunk of chunks) decoder.feed(chunk);
    decoder.end();
    expect(heard).toBe(frames);
  };
}

// A busy machine may spoil one measurement; what is not linear fails all of them.
describe("time is linear in the bytes", { timeout: 120_000, retry: 2 }, () => {
  const max = 16 * MIB;
  const data = (value: string) => `data: ${value}\n\n`;
  it.each<[string, size: number, (size: number) => () => void]>([
    ["a line of 1 MiB, byte by byte", MIB, (n) => feeding(sse(max), data("x".repeat(n)), 1, 1)],
    ["one event of 10 MiB in reads of 64 KiB", 10 * MIB, (n) => feeding(sse(max), data("x".repeat(n)), 64 * KIB, 1)],
    ["one event of small data lines", 80_000, (n) => feeding(sse(max), `${"data: a\n".repeat(n)}\n`, 64 * KIB, 1)],
    ["1 000 000 comments", 1_000_000, (n) => feeding(sse(max), ": keep-alive\n\n".repeat(n), 64 * KIB, 0)],
    ["comments that end in CR, in one read", 400_000, (n) => feeding(sse(max), ":\r".repeat(n), max, 0)],
    [
      "comments that end in LF and one CR, in one read",
      400_000,
      (n) => feeding(sse(max), `${":\n".repeat(n)}\r`, max, 0),
    ],
    ["events in one read", 100_000, (n) => feeding(sse(max), data("1").repeat(n), max, n)],
    ["lines of bare JSON", 8000, (n) => feeding(sse(max), `[\n${"1,\n".repeat(n)}1]\n`, 64 * KIB, 1)],
    ["code points cut by every read", 32_000, (n) => feeding(sse(max), data("😀".repeat(n)), 3, 1)],
    ["an NDJSON line, byte by byte", 64_000, (n) => feeding(ndjson(max), `"${"x".repeat(n)}"\n`, 1, 1)],
    ["NDJSON lines in one read", 200_000, (n) => feeding(ndjson(max), "1\n".repeat(n), max, n)],
    ["a document, byte by byte", 64_000, (n) => feeding(body(max), JSON.stringify(["x".repeat(n)]), 1, 1)],
    ["white space before the first byte", MIB, (n) => feeding(body(max), " ".repeat(n), 64 * KIB, 0)],
    ["the scan of quotes and backslashes", 400_000, (n) => () => void scanJson(`"${'\\\\\\"'.repeat(n)}"`)],
    ["the scan of one run of backslashes", 4 * MIB, (n) => () => void scanJson(`"${"\\".repeat(n)}"`)],
  ])("%s", (_name, size, runOf) => expectLinear(runOf, size));
});
