/** Chat Completions: an assistant message, and one message per result. */
import { type Dialect, functionCallOf, nameOf, textOf } from "./dialect.ts";

export const chat: Dialect = {
  fromOutput: (output) => [...output],
  fromWords: (text, calls) => [
    {
      role: "assistant",
      content: text || null,
      ...(calls.length > 0 && { tool_calls: calls.map(functionCallOf) }),
    },
  ],
  fromResults(results, turn) {
    const isLegacy = turn.output.some((message: any) => message.function_call);
    return results.map(({ id, output }) =>
      isLegacy
        ? { role: "function", name: nameOf(id, turn), content: textOf(output) }
        : { role: "tool", tool_call_id: id, content: textOf(output) },
    );
  },
};
