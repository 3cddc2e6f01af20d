import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anthropicMessages } from "../../src/protocol/anthropic-messages.ts";
import { cohereV2 } from "../../src/protocol/cohere-v2.ts";
import { gemini } from "../../src/protocol/gemini.ts";
import { ollama } from "../../src/protocol/ollama.ts";
import type { ProtocolEvent } from "../../src/protocol/protocol.ts";
import { toAssistantMessages } from "../../src/turn/history.ts";
import type { CompleteTurn } from "../../src/turn/turn.ts";
import { decode, decodeDocument } from "./decode.ts";

/** The words of the protocols, in places where no provider would put them. */
const keys = [
  ..."type index message content content_block delta text thinking signature partial_json citation citations input id name".split(
    " ",
  ),
  ..."usage input_tokens output_tokens output_tokens_details stop_reason model candidates parts functionCall".split(
    " ",
  ),
  ..."functionResponse executableCode toolCall args partialArgs jsonPath stringValue numberValue willContinue".split(
    " ",
  ),
  ..."finishReason promptFeedback blockReason usageMetadata responseId thoughtSignature thought done done_reason".split(
    " ",
  ),
  ..."response tool_calls function arguments tool_plan finish_reason tokens error __proto__ constructor".split(" "),
];
const strings = [
  ..."message_start content_block_start content_block_delta content_block_stop message_delta message_stop ping".split(
    " ",
  ),
  ..."text_delta thinking_delta signature_delta input_json_delta citations_delta compaction_delta text thinking".split(
    " ",
  ),
  ..."tool_use server_tool_use end_turn STOP stop $.a $.a[0] $['b'].c message-start content-start content-delta".split(
    " ",
  ),
  ..."tool-plan-delta tool-call-start tool-call-delta citation-start message-end COMPLETE error".split(" "),
];
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, "", 0, 1, -1, Number.MAX_VALUE),
    fc.constantFrom(...strings),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
  ),
}));

const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 4, arbitrary }, { weight: 1, arbitrary: value });
const loose = (fields: Record<string, fc.Arbitrary<unknown>>) => some(fc.record(fields, { requiredKeys: [] }));
const argument = loose({ jsonPath: value, stringValue: value, numberValue: value, willContinue: value });
const call = loose({
  id: value,
  name: value,
  args: value,
  partialArgs: some(fc.array(argument, { maxLength: 2 })),
  willContinue: value,
});
const part = loose({
  text: value,
  thought: value,
  functionCall: call,
  functionResponse: call,
  executableCode: value,
  toolCall: value,
});
const block = loose({
  type: fc.constantFrom(...strings),
  text: value,
  thinking: value,
  name: value,
  id: value,
  input: value,
});
const delta = loose({
  type: fc.constantFrom(...strings),
  text: value,
  partial_json: value,
  citation: value,
  message: value,
});
const frame = fc.oneof(
  value,
  loose({ type: fc.constantFrom(...strings), index: value, delta, content_block: block, message: value, usage: value }),
  loose({
    candidates: some(
      fc.tuple(loose({ content: loose({ parts: some(fc.array(part, { maxLength: 3 })) }), finishReason: value })),
    ),
  }),
  loose({
    message: loose({ content: value, thinking: value, tool_calls: value }),
    done: value,
    done_reason: value,
    model: value,
  }),
);

const silent = { status: "complete", text: "", refusal: "", toolCalls: [] } as unknown as CompleteTurn;

/** Whoever collects events leans on this. */
function check(events: readonly ProtocolEvent[]): void {
  const calls = new Set<number>();
  for (const event of events) {
    if (event.type === "text" || event.type === "reasoning") expect(event.text).toMatch(/./s);
    if (event.type === "tool_arguments") expect(event.delta).toMatch(/./s);
    if (event.type === "tool_arguments" || event.type === "tool_answered") expect(calls).toContain(event.index);
    if (event.type === "stop") expect(event.rawStopReason).toBeTypeOf("string");
    if (event.type !== "tool_call") continue;
    expect(calls).not.toContain(event.index);
    expect(event.id && event.name).toMatch(/./s);
    calls.add(event.index);
  }
}

describe.each([anthropicMessages, gemini, ollama, cohereV2])("whatever JSON a server of $name sends", (protocol) => {
  it("the decoder does not throw, and announces a call once, before its arguments", () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
        const texts = frames.map((json) => JSON.stringify(json));
        const kept = decode(protocol, texts, { collect: true, end: true });
        const unkept = decode(protocol, texts, { collect: false, end: true });
        check(kept.events);
        expect(unkept.events).toEqual(kept.events);
        expect(unkept.output).toEqual([]);
        toAssistantMessages({
          ...silent,
          protocol: protocol.name,
          requestProtocol: protocol.name,
          output: kept.output,
        });
        check(decodeDocument(protocol, frames).events);
        for (const json of frames) check(decodeDocument(protocol, json).events);
        expect(({} as any).text).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });
});
