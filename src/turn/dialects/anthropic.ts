/** Anthropic Messages: one assistant message of blocks, and one user message with all results. */
import type { CompleteTurn } from "../turn.ts";
import { type Dialect, inputOf, isOwn, type ToolResult, textOf } from "./dialect.ts";

/** Other providers' ids may hold what this one refuses (`functions.weather:0`). */
const idOf = (id: string): string => id.replace(/[^\w-]/g, "_");

/** Blank text is refused, and so is a thought that is not signed: one of a relay's own, or one that was cut. */
function isTaken({ type, text, signature }: any): boolean {
  if (type === "text") return /\S/.test(text);
  return type === "thinking" ? Boolean(signature) : Boolean(type);
}

const message = (role: "assistant" | "user", content: readonly object[]): object[] =>
  content.length > 0 ? [{ role, content }] : [];

export const anthropic: Dialect = {
  fromOutput: (output) => message("assistant", output.filter(isTaken)),
  fromWords: (text, calls) =>
    message("assistant", [
      ...(text ? [{ type: "text", text }] : []),
      ...calls.map((call) => ({ type: "tool_use", id: idOf(call.id), name: call.name, input: inputOf(call) })),
    ]),
  fromResults: (results: readonly ToolResult[], turn: CompleteTurn) =>
    message(
      "user",
      results.map(({ id, output, isError }) => ({
        type: "tool_result",
        tool_use_id: isOwn(turn) ? id : idOf(id),
        content: textOf(output),
        ...(isError && { is_error: true }),
      })),
    ),
};
