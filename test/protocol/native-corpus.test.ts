import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../src/protocol/anthropic-messages.ts";
import { cohereV2 } from "../../src/protocol/cohere-v2.ts";
import { gemini } from "../../src/protocol/gemini.ts";
import { ollama } from "../../src/protocol/ollama.ts";
import {
  type CorpusFile,
  corpusOf,
  corpusState,
  type Expectation,
  hasCorpus,
  ndjsonFrames,
  type Replay,
  replay,
  sseFrames,
} from "./corpus.ts";

const sha256 = (text: string): string => (text === "" ? "" : createHash("sha256").update(text).digest("hex"));
const play = (framing: "sse" | "ndjson", body: string) => (framing === "sse" ? sseFrames(body) : ndjsonFrames(body));

const MODELS_OWN = [null, "stop", "stop_sequence", "tool_calls", "refusal"];
const counts = new Map([
  [anthropicMessages, 24],
  [gemini, 36],
  [ollama, 6],
  [cohereV2, 7],
]);

for (const [protocol, count] of counts) {
  describe(`recordings of ${protocol.name}`, () => {
    const files = corpusOf(protocol).filter(isAnswer);

    it.skipIf(!hasCorpus)(`are all there (${corpusState})`, () => {
      expect(files.length).toBe(count);
    });

    it.each(files)("$name", ({ expected, body }) => {
      const kept = replay(protocol, play(protocol.framing, body()));
      compare(kept, expected);
      const unkept = replay(protocol, play(protocol.framing, body()), { collect: false });
      expect(unkept.events).toEqual(kept.events);
      expect(unkept.output).toEqual([]);
    });
  });
}

/** One recording is the body of a 404: no stream to decode. */
function isAnswer({ expected }: CorpusFile): boolean {
  return expected.contract.reason !== "http_error";
}

function compare(got: Replay, expected: Expectation): void {
  const { contract } = expected;
  expect(got.text.length).toBe(expected.text_len_utf16);
  expect(sha256(got.text)).toBe(expected.text_sha256);
  expect(sha256(got.reasoning)).toBe(expected.reasoning_sha256);
  expect(got.firstContentIndex).toBe(expected.first_content_index);
  expect(got.firstOutputIndex).toBe(expected.first_any_output_index);
  expect([got.stopReason, got.rawStopReason]).toEqual([contract.stopReason, contract.rawStopReason]);
  expect(statusOf(got)).toBe(contract.status);
  expect(got.error).toBeNull();
  expect(startsWithProviderTool(got)).toBe(contract.providerToolBeforeOutput);
  compareCalls(got, expected);
  if (expected.usage)
    expect(got.usage && [got.usage.inputTokens, got.usage.outputTokens]).toEqual(tokensOf(expected.usage));
}

/** By the rule for every protocol: the signal, no failure, and a stop reason that is absent or the model's own. */
function statusOf({ isDone, stopReason, rawStopReason, firstOutputIndex, firstProviderToolIndex }: Replay): string {
  const hasBegun = firstOutputIndex !== null || firstProviderToolIndex !== null || rawStopReason !== null;
  if (!hasBegun) return "error";
  return isDone && MODELS_OWN.includes(stopReason) ? "complete" : "incomplete";
}

/** A call that the provider answered was its own from the start. */
function startsWithProviderTool({ events, calls, firstOutputIndex, firstProviderToolIndex }: Replay): boolean {
  const isOwn = ({ event }: Replay["events"][number]) => event.type === "tool_call" && calls.get(event.index)?.answered;
  const first = events.find(isOwn)?.at ?? firstProviderToolIndex;
  return first !== null && (firstOutputIndex === null || first <= firstOutputIndex);
}

/** The expectations know neither the ids that are given to calls without one, nor arguments that came as paths and values. */
function compareCalls({ calls }: Replay, expected: Expectation): void {
  const got = [...calls.values()];
  expect(got.map((call) => call.name)).toEqual(expected.tool_calls.map((call) => call.name));
  for (const [index, { id, args }] of expected.tool_calls.entries()) {
    expect(got[index]?.id).toBe(id ?? `call_${index}`);
    if (args !== "" || got[index]?.arguments === "") expect(got[index]?.arguments).toBe(args);
    else expect(Object.keys(JSON.parse(got[index]?.arguments as string)).length).toBeGreaterThan(0);
  }
}

const sum = (...counts: (number | undefined)[]): number =>
  counts.reduce<number>((total, count) => total + (count ?? 0), 0);

/** Input and output of a provider's last report, in its own words. */
function tokensOf(usage: any): (number | null)[] {
  if (usage.promptTokenCount) {
    const { promptTokenCount, toolUsePromptTokenCount, candidatesTokenCount, thoughtsTokenCount } = usage;
    const output = candidatesTokenCount || thoughtsTokenCount ? sum(candidatesTokenCount, thoughtsTokenCount) : null;
    return [sum(promptTokenCount, toolUsePromptTokenCount), output];
  }
  if (usage.eval_count) return [usage.prompt_eval_count ?? null, usage.eval_count];
  if (usage.tokens) return [usage.tokens.input_tokens, usage.tokens.output_tokens];
  const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } = usage;
  return [sum(input_tokens, cache_read_input_tokens, cache_creation_input_tokens), output_tokens];
}
