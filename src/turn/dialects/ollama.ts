/** Ollama: messages whose calls have objects for arguments; results are told apart by name and order. */
import { type Dialect, inCallOrder, inputOf, nameOf, textOf } from "./dialect.ts";

export const ollama: Dialect = {
  fromOutput: (output) => [...output],
  fromWords: (text, calls) => [
    {
      role: "assistant",
      content: text,
      ...(calls.length > 0 && {
        tool_calls: calls.map((call) => ({ id: call.id, function: { name: call.name, arguments: inputOf(call) } })),
      }),
    },
  ],
  fromResults: (results, turn) =>
    inCallOrder(results, turn).map(({ id, output }) => {
      return { role: "tool", tool_name: nameOf(id, turn), tool_call_id: id, content: textOf(output) };
    }),
};
