import { describe, expect, it } from "vitest";
import { attempt, complete, incomplete, timing } from "../fake-library.ts";
import type { Library } from "../library.ts";
import { framingOf, holdsSuccess, isSuccess, rawEvents, textOf } from "../stub/bytes-reader.ts";
import { checkRecording } from "./check.ts";
import { type Contract, digest, type Expected, type Recording } from "./recording.ts";

const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const bytes = new TextEncoder().encode(
  `${chunk({ role: "assistant", content: "" })}${chunk({ content: "Hel" })}${chunk({ content: "lo" })}${chunk({}, "stop")}data: [DONE]\n\n`,
);

const contract: Contract = {
  status: "complete",
  reason: null,
  terminal: true,
  stopReason: "stop",
  rawStopReason: "stop",
  streamed: true,
  gateOpens: true,
  providerToolBeforeOutput: false,
};
const expected: Expected = {
  protocol: "openai-chat",
  sha256: digest(bytes),
  text_sha256: digest("Hello"),
  text_len_utf16: 5,
  first_content_index: 1,
  first_any_output_index: 1,
  first_index: { text: 1 },
  server_tool_items: 0,
  notes: [],
  tool_calls: [],
  errors: [],
  source: {},
  contract,
};

interface Habits {
  readonly complete: (bytes: Uint8Array) => boolean;
  readonly text?: (bytes: Uint8Array) => string;
  readonly execute?: () => [];
}

const strictly = (part: Uint8Array) => holdsSuccess("openai-chat", part);
const refuse = () => {
  throw new TypeError("not a complete turn");
};

/** Reads with the second reader, and judges as its habits are. */
function library({
  complete: isComplete,
  text = (part) => textOf("openai-chat", part),
  execute = refuse as never,
}: Habits): Library {
  const createClient = ({ fetch, observers, endpoints }: any) => {
    const turnOf = (part: Uint8Array, clean: boolean) => {
      const events = [...rawEvents(part, framingOf("openai-chat"))].filter(
        ({ closedAt }) => clean || closedAt !== null,
      );
      const whole = clean ? isComplete(part) : events.some(({ data }) => isSuccess("openai-chat", data));
      const at = { ...timing, firstOutputEvent: 1, firstContentEvent: 1 };
      const shared = { timing: at, rawStopReason: "stop", attempts: [attempt({})] };
      return whole ? complete({ ...shared, text: text(part) }) : incomplete({ ...shared, partialText: text(part) });
    };
    const read = async () => {
      const response: Response = await fetch(endpoints[0].url);
      const parts: Uint8Array[] = [];
      let clean = true;
      try {
        for await (const part of response.body as unknown as AsyncIterable<Uint8Array>) parts.push(part);
      } catch {
        clean = false;
      }
      const turn = turnOf(Buffer.concat(parts), clean);
      observers[0].callEnd(null, { stopReason: "stop", terminal: turn.status === "complete" });
      return turn;
    };
    const stream = async () => {
      const turn = await read();
      return {
        turn: async () => turn,
        async *[Symbol.asyncIterator]() {
          yield { type: "text", text: turn.status === "complete" ? turn.text : turn.partialText };
        },
      };
    };
    return { turn: read, stream };
  };
  return {
    createClient,
    executableToolCalls: execute,
    CallError: class extends Error {},
    isTtftError: () => false,
  } as never;
}

const recording = (changes: Partial<Expected> = {}): Recording => ({
  file: "f",
  bytes,
  expected: { ...expected, ...changes },
});
const problems = async (habits: Habits, changes?: Partial<Expected>) =>
  (await checkRecording(library(habits), recording(changes))).problems;

describe("the corpus runner", () => {
  it("agrees with a library that reads as the recording says", async () => {
    expect(await problems({ complete: strictly })).toEqual([]);
  });

  it("cuts at every byte and resets around every event", async () => {
    const { cuts, replays } = await checkRecording(library({ complete: strictly }), recording());
    expect({ cuts, replays }).toEqual({ cuts: bytes.length + 2 * 5, replays: 5 });
  });

  it("objects to a turn that is complete without the whole success signal", async () => {
    expect((await problems({ complete: () => true })).join("\n")).toContain("complete without a whole success signal");
    expect((await problems({ complete: (part) => part.length > bytes.length - 4 })).join("\n")).toContain(
      "cut at byte",
    );
  });

  it("objects to a turn that stays incomplete although the signal is whole", async () => {
    expect((await problems({ complete: (part) => part.length === bytes.length })).join("\n")).toContain(
      "the whole as complete",
    );
  });

  it("objects to a text that is no prefix, and to one that differs", async () => {
    const text = (part: Uint8Array) => (part.length === bytes.length ? "Hello" : "Help");
    expect((await problems({ complete: strictly, text })).join("\n")).toContain("does not end a prefix");
    expect((await problems({ complete: strictly, text: () => "Hell!" })).join("\n")).toContain("text hash");
  });

  it("objects to calls that may be run although the turn was cut", async () => {
    expect((await problems({ complete: strictly, execute: () => [] })).join("\n")).toContain("returns for a cut turn");
  });

  it.each([
    ["status", { contract: { ...contract, status: "error" as const } }],
    ["reason", { contract: { ...contract, reason: "length" } }],
    ["terminal", { contract: { ...contract, terminal: false } }],
    ["stopReason", { contract: { ...contract, stopReason: null } }],
    ["rawStopReason", { contract: { ...contract, rawStopReason: "eos" } }],
    ["streamed", { contract: { ...contract, streamed: false } }],
    ["gateOpens", { contract: { ...contract, gateOpens: false } }],
    ["lenient", { contract: { ...contract, lenient: { status: "incomplete", reason: "length" } } }],
    ["first content event", { first_content_index: 2 }],
    ["first output event", { first_any_output_index: null }],
    ["text length", { text_len_utf16: 4 }],
    ["tool calls", { tool_calls: [{ id: "a", name: "b", args: "{}" }] }],
  ])("objects to another %s", async (name, changes) => {
    expect((await problems({ complete: strictly }, changes)).join("\n")).toContain(`${name}: expected`);
  });

  it("passes over fields that are left open", async () => {
    const open = { ...contract, status: null as never, reason: null, undetermined: "status, reason: two readings" };
    expect(await problems({ complete: strictly }, { contract: open })).toEqual([]);
  });

  it("compares the provider's own code where the stream holds an error", async () => {
    const cut = { complete: () => false };
    const ended = { ...contract, status: "incomplete" as const, reason: "provider_error", terminal: false };
    const found = await problems(cut, {
      contract: ended,
      errors: [{ error: { code: "overloaded", type: "server_error" } }],
    });
    expect(found.join("\n")).toContain('provider code: expected "overloaded"');
  });
});
