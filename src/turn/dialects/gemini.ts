/** Gemini: one content of parts for the answer, and one for all results. */
import { type Dialect, inCallOrder, inputOf, jsonValueOf, nameOf } from "./dialect.ts";

/** What Google names for calls that carry no signature of its own, because another model made them. */
const NO_SIGNATURE = "skip_thought_signature_validator";

export const gemini: Dialect = {
  fromOutput: (parts) => [{ role: "model", parts: [...parts] }],
  fromWords: (text, calls) => [
    {
      role: "model",
      parts: [
        ...(text ? [{ text }] : []),
        ...calls.map((call, position) => ({
          functionCall: { name: call.name, args: inputOf(call) },
          ...(position === 0 && { thoughtSignature: NO_SIGNATURE }),
        })),
      ],
    },
  ],
  /** Ids are sent back where the provider gave them; without them the order tells whose result it is. */
  fromResults(results, turn) {
    if (results.length === 0) return [];
    const given = new Set(turn.output.map((part: any) => part.functionCall?.id));
    const parts = inCallOrder(results, turn).map(({ id, output, isError }) => ({
      functionResponse: {
        ...(given.has(id) && { id }),
        name: nameOf(id, turn),
        response: { [isError ? "error" : "output"]: jsonValueOf(output) },
      },
    }));
    return [{ role: "user", parts }];
  },
};
