import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { openaiCompletions } from "../../src/protocol/openai-completions.ts";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import { corpusOf, corpusState, type Expectation, hasCorpus, type Replay, replay, sseFrames } from "./corpus.ts";

const sha256 = (text: string): string => (text === "" ? "" : createHash("sha256").update(text).digest("hex"));

/** By the rule for every protocol: the signal, no failure, and a stop reason that is absent or the model's own. */
function statusOf({
  isDone,
  error,
  stopReason,
  rawStopReason,
  firstOutputIndex,
  firstProviderToolIndex,
}: Replay): string {
  const isModelsOwn =
    rawStopReason === null || ["stop", "stop_sequence", "tool_calls", "refusal"].includes(stopReason ?? "");
  if (isDone && !error && isModelsOwn) return "complete";
  return firstOutputIndex === null && firstProviderToolIndex === null && (error || rawStopReason === null)
    ? "error"
    : "incomplete";
}

const counts = { "openai-chat": 94, "openai-responses": 31, "openai-completions": 5 };

for (const protocol of [openaiChat, openaiResponses, openaiCompletions]) {
  describe(`recordings of ${protocol.name}`, () => {
    const files = corpusOf(protocol);

    it.skipIf(!hasCorpus)(`are all there (${corpusState})`, () => {
      expect(files.length).toBe(counts[protocol.name as keyof typeof counts]);
    });

    for (const { name, expected, body } of files) {
      it(name, () => compare(replay(protocol, sseFrames(body())), expected));
      it(`${name}, keeping nothing`, () => {
        const kept = replay(protocol, sseFrames(body()));
        const unkept = replay(protocol, sseFrames(body()), { collect: false });
        expect(unkept.events).toEqual(kept.events);
        expect(unkept.output).toEqual([]);
      });
    }
  });
}

function compare(got: Replay, expected: Expectation): void {
  const { contract } = expected;
  expect(got.text.length).toBe(expected.text_len_utf16);
  expect(sha256(got.text)).toBe(expected.text_sha256);
  expect(sha256(got.reasoning)).toBe(expected.reasoning_sha256);
  expect(sha256(got.refusal)).toBe(expected.refusal_sha256);
  expect(got.toolCalls).toEqual(expected.tool_calls.map(({ id, name, args }) => ({ id, name, arguments: args })));
  expect(got.firstContentIndex).toBe(expected.first_content_index);
  expect(got.firstOutputIndex).toBe(expected.first_any_output_index);
  expect([got.stopReason, got.rawStopReason]).toEqual([contract.stopReason, contract.rawStopReason]);
  expect(statusOf(got)).toBe(contract.status);
  expect(got.error !== null).toBe(contract.reason === "provider_error");
  const { firstProviderToolIndex: tool, firstOutputIndex: output } = got;
  expect(tool !== null && (output === null || tool < output)).toBe(contract.providerToolBeforeOutput);
  if (!expected.usage || got.error) return;
  expect((got.usage?.inputTokens ?? 0) + (got.usage?.outputTokens ?? 0)).toBe(expected.usage.total_tokens);
}
