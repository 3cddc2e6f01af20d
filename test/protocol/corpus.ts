/** Recorded streams, played through a decoder: frames are split here by hand, so that no test of a protocol leans on the wire. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Protocol, ProtocolEvent, StopReason, Usage } from "../../src/protocol/protocol.ts";
import type { Frame } from "../../src/wire/frame.ts";
import { frameOf } from "./decode.ts";

const directory = resolve(process.env.TTFT_CORPUS ?? "test/corpus");
export const hasCorpus = existsSync(join(directory, "expectations.json"));
/** For the name of a suite that is skipped: a reader has to see why. */
export const corpusState = hasCorpus ? "corpus" : `no corpus at ${directory}: set TTFT_CORPUS`;

export interface Expectation {
  readonly contract: {
    readonly status: "complete" | "incomplete" | "error";
    readonly stopReason: StopReason | null;
    readonly rawStopReason: string | null;
    readonly reason: string | null;
    readonly providerToolBeforeOutput: boolean;
    readonly undetermined?: string;
  };
  readonly first_content_index: number | null;
  readonly first_any_output_index: number | null;
  readonly text_sha256: string;
  readonly text_len_utf16: number;
  readonly reasoning_sha256: string;
  readonly refusal_sha256: string;
  readonly tool_calls: readonly { readonly id: string; readonly name: string; readonly args: string }[];
  readonly usage: any;
}

export interface CorpusFile {
  readonly name: string;
  readonly expected: Expectation;
  /** Read when it is played. */
  readonly body: () => string;
}

/** The recordings of one protocol; none where the corpus is absent. */
export function corpusOf(protocol: Protocol): readonly CorpusFile[] {
  if (!hasCorpus) return [];
  const all: Record<string, Expectation> = JSON.parse(readFileSync(join(directory, "expectations.json"), "utf8"));
  return Object.entries(all)
    .filter(([path]) => path.startsWith(`${protocol.name}/`))
    .map(([path, expected]) => ({
      name: path.slice(protocol.name.length + 1),
      expected,
      body: () => readFileSync(join(directory, path), "utf8"),
    }));
}

/** Events end at an empty line, the last one at the end of the body; a field `error:` is a frame of its own. */
export function sseFrames(body: string): Frame[] {
  const frames: Frame[] = [];
  let event = "";
  let data: string[] = [];
  for (const line of [...body.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/), ""]) {
    const [, field = "", value = ""] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === "") {
      if (data.length > 0) frames.push(frameOf(data.join("\n"), event));
      event = "";
      data = [];
    } else if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "error") frames.push(frameOf(value, "error"));
  }
  return frames;
}

export const ndjsonFrames = (body: string): Frame[] =>
  body
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => frameOf(line));

export interface ReplayedCall {
  readonly id: string;
  readonly name: string;
  arguments: string;
  answered: boolean;
}

/** What a decoder made of a stream, up to the event that settled it. */
export class Replay {
  /** All events, with the frame that each came from. */
  readonly events: { readonly at: number; readonly event: ProtocolEvent }[] = [];
  readonly calls = new Map<number, ReplayedCall>();
  text = "";
  reasoning = "";
  refusal = "";
  stopReason: StopReason | null = null;
  rawStopReason: string | null = null;
  usage: Usage | null = null;
  error: Extract<ProtocolEvent, { type: "error" }> | null = null;
  isDone = false;
  isOver = false;
  firstContentIndex: number | null = null;
  firstOutputIndex: number | null = null;
  firstProviderToolIndex: number | null = null;
  output: readonly object[] = [];

  get types(): string[] {
    return this.events.map(({ event }) => event.type);
  }

  /** The calls that the client answers. */
  get toolCalls(): { id: string; name: string; arguments: string }[] {
    return Array.from(this.calls.values())
      .filter((call) => !call.answered)
      .map(({ id, name, arguments: json }) => ({ id, name, arguments: json }));
  }

  take(at: number, event: ProtocolEvent): void {
    this.events.push({ at, event });
    switch (event.type) {
      case "text":
      case "refusal":
        this[event.type] += event.text;
        this.firstContentIndex ??= at;
        this.firstOutputIndex ??= at;
        return;
      case "reasoning":
        this.reasoning += event.text;
        this.firstOutputIndex ??= at;
        return;
      case "tool_call":
        this.calls.set(event.index, { id: event.id, name: event.name, arguments: "", answered: false });
        this.firstContentIndex ??= at;
        this.firstOutputIndex ??= at;
        return;
      default:
        this.#takeRest(at, event);
    }
  }

  #takeRest(at: number, event: ProtocolEvent): void {
    if (event.type === "tool_arguments" || event.type === "tool_answered") {
      const call = this.calls.get(event.index);
      if (!call) throw new Error(`${event.type} of a call that was never announced`);
      if (event.type === "tool_arguments") call.arguments += event.delta;
      else call.answered = true;
    } else if (event.type === "stop") {
      this.stopReason = event.stopReason;
      this.rawStopReason = event.rawStopReason;
    } else if (event.type === "usage") this.usage = event.usage;
    else if (event.type === "error") this.error ??= event;
    else if (event.type === "provider_tool") this.firstProviderToolIndex ??= at;
    else if (event.type === "done") this.isDone = true;
    this.isOver ||= ["done", "end", "error", "malformed"].includes(event.type);
  }
}

/** Feeds frames until the answer is settled, as the inspector does; data that is no data never reaches the decoder. */
export function replay(protocol: Protocol, frames: readonly Frame[], options?: { readonly collect: boolean }): Replay {
  const decoder = protocol.createDecoder(options);
  const result = new Replay();
  frames.forEach((frame, at) => {
    if (result.isOver || frame.data === "" || frame.data.startsWith(":")) return;
    decoder.frame(frame, (event) => result.take(at, event));
  });
  if (!result.isOver) decoder.end?.((event) => result.take(frames.length, event));
  result.output = decoder.output?.() ?? [];
  return result;
}
