/** Cohere v2: as chat, but a message without text has no content at all. */
import { type Dialect, functionCallOf, textOf } from "./dialect.ts";

export const cohere: Dialect = {
  fromOutput: (output) => [...output],
  fromWords: (text, calls) => [
    {
      role: "assistant",
      ...(text && { content: text }),
      ...(calls.length > 0 && { tool_calls: calls.map(functionCallOf) }),
    },
  ],
  fromResults: (results) =>
    results.map(({ id, output }) => ({ role: "tool", tool_call_id: id, content: textOf(output) })),
};
