import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createBodyDecoder } from "../../src/wire/body.ts";
import { type CreateDecoder, type Heard, play, sliced } from "./recorder.ts";

/** What the recordings' own, line-based reader found in each file. */
interface Expectation {
  readonly protocol: string;
  readonly data_events: number;
  readonly framing: {
    readonly comments: number;
    readonly unterminated_tail: boolean;
    readonly other_lines?: readonly string[];
  };
}

const folder = process.env.TTFT_CORPUS ?? "test/corpus";
const index = join(folder, "expectations.json");
const recordings: [string, Expectation][] = existsSync(index)
  ? Object.entries(JSON.parse(readFileSync(index, "utf8")) as Record<string, Expectation>)
  : [];

const decoderOf =
  (protocol: string): CreateDecoder =>
  (sink) =>
    createBodyDecoder({
      framing: protocol === "ollama" ? "ndjson" : "sse",
      maxEventBytes: 1 << 24,
      sink,
    });

const isFrame = (heard: Heard): heard is { frame: [string, string] } => typeof heard === "object" && "frame" in heard;

describe("recorded streams", () => {
  it.skipIf(recordings.length > 0)(`are not here: no corpus in ${folder}, set TTFT_CORPUS`, () => {});

  it.each(recordings)("%s", (file, { protocol, data_events, framing }) => {
    const bytes = readFileSync(join(folder, file));
    const create = decoderOf(protocol);
    const heard = play(create, [bytes]);
    for (const size of [1, 7]) expect(play(create, sliced(bytes, size))).toEqual(heard);

    const frames = heard.filter(isFrame);
    const errorFields = (framing.other_lines ?? []).filter((line) => line.startsWith("error:"));
    const isDocument = heard.includes("document begins");
    expect(isDocument ? heard.length : frames.length - errorFields.length).toBe(isDocument ? 3 : data_events);
    expect(heard.filter((each) => each === "comment")).toHaveLength(framing.comments);
    expect(heard.at(-1)).toEqual({ end: framing.unterminated_tail && !isDocument && bytes.length > 0 });
  });
});
