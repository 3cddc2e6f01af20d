import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openaiChat } from "../../src/protocol/openai-chat.ts";
import { openaiCompletions } from "../../src/protocol/openai-completions.ts";
import { openaiResponses } from "../../src/protocol/openai-responses.ts";
import type { ProtocolEvent } from "../../src/protocol/protocol.ts";
import { decode, decodeDocument } from "./decode.ts";

/** The words of the protocols, in places where no provider would put them. */
const keys =
  "choices index delta message content text refusal reasoning reasoning_content reasoning_details thinking tool_calls function_call function custom id call_id type name arguments input finish_reason native_finish_reason usage x_groq prompt_tokens completion_tokens prompt_tokens_details error object code item output_index content_index summary_index item_id part response output status incomplete_details reason summary action environment execution __proto__ constructor toString".split(
    " ",
  );
const strings =
  "stop tool_calls length thinking custom message reasoning function_call shell_call tool_search_call web_search_call shell_call_output output_text refusal summary_text incomplete failed error client chat.completion.done response.created response.output_item.added response.output_item.done response.output_text.delta response.output_text.done response.reasoning_summary_text.delta response.function_call_arguments.delta response.function_call_arguments.done response.completed response.incomplete response.failed".split(
    " ",
  );

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, "", 0, 1, -1, Number.MAX_VALUE, "k1"),
    fc.constantFrom(...strings),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
  ),
}));
const piece = fc.record({
  index: fc.constantFrom(0, 1, null),
  id: fc.constantFrom("", "a", "b", null),
  function: fc.record({ name: fc.constantFrom("", "f", "g", null), arguments: fc.constantFrom("", "{", null) }),
});
const frame = fc.oneof(
  fc.record({ choices: fc.tuple(fc.record({ delta: fc.record({ tool_calls: fc.array(piece, { maxLength: 3 }) }) })) }),
  fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 6 }),
  fc.record(
    {
      type: fc.constantFrom(...strings),
      output_index: value,
      item: value,
      delta: value,
      response: value,
      part: value,
      text: value,
    },
    { requiredKeys: ["type"] },
  ),
  fc.record({
    choices: fc.array(fc.record({ delta: value, finish_reason: value, index: fc.constantFrom(0, 1) })),
    usage: value,
  }),
);

function check(events: readonly ProtocolEvent[]): void {
  const calls = new Set<number>();
  for (const event of events) {
    if (event.type === "text" || event.type === "reasoning" || event.type === "refusal")
      expect(event.text).toMatch(/./s);
    if (event.type === "tool_arguments") expect(event.delta).toMatch(/./s);
    if (event.type === "tool_arguments" || event.type === "tool_answered") expect(calls).toContain(event.index);
    if (event.type === "stop") expect(event.rawStopReason).toBeTypeOf("string");
    if (event.type !== "tool_call") continue;
    expect(event.index).toBe(calls.size);
    expect(event.id && event.name).toMatch(/./s);
    calls.add(event.index);
  }
}

describe.each([openaiChat, openaiResponses, openaiCompletions])("whatever JSON a server of $name sends", (protocol) => {
  it("the decoder does not throw, and announces a call before its arguments", () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 12 }), (frames) => {
        const kept = decode(
          protocol,
          frames.map((json) => JSON.stringify(json)),
        );
        check(kept.events);
        expect(
          decode(
            protocol,
            frames.map((json) => JSON.stringify(json)),
            { collect: false, end: false },
          ).events,
        ).toEqual(kept.events);
        for (const json of frames) check(decodeDocument(protocol, JSON.parse(JSON.stringify(json))).events);
      }),
      { numRuns: 400 },
    );
  });
});
