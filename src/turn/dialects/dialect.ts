/** How a protocol wants an answer, and the results of its tools, sent back. One dialect per protocol. */
import { objectIn } from "../../protocol/fields.ts";
import type { CompleteTurn, ToolCall, Turn } from "../turn.ts";

/** What a tool gave, for the call with this id. */
export interface ToolResult {
  readonly id: string;
  readonly output: unknown;
  readonly isError?: boolean | undefined;
}

export interface Dialect {
  /** The provider's own blocks, as they came, but for what it would not take back. */
  fromOutput(output: readonly object[]): object[];
  /** An answer of which only the words are known, or fit in. At least one of the two is not empty. */
  fromWords(text: string, calls: readonly ToolCall[]): object[];
  fromResults(results: readonly ToolResult[], turn: CompleteTurn): object[];
}

/** Is the answer sent back in its own blocks, ids included? */
export const isOwn = (turn: Turn): boolean => turn.protocol === turn.requestProtocol && turn.output.length > 0;

/** Values are sent as JSON; an error says nothing as JSON, so it is sent as its sentence. */
export const jsonValueOf = (output: unknown): unknown => (output instanceof Error ? output.message : (output ?? null));

/** For protocols that take results as text. */
export function textOf(output: unknown): string {
  const value = jsonValueOf(output);
  return typeof value === "string" ? value : value === null ? "" : (JSON.stringify(value) ?? "");
}

/** Where nothing else tells which of two results of one tool is whose. */
export function inCallOrder(results: readonly ToolResult[], { toolCalls }: CompleteTurn): ToolResult[] {
  const positionOf = ({ id }: ToolResult) => toolCalls.findIndex((call) => call.id === id);
  return [...results].sort((a, b) => positionOf(a) - positionOf(b));
}

export const nameOf = (id: string, { toolCalls }: CompleteTurn): string =>
  toolCalls.find((call) => call.id === id)?.name ?? "";

export const inputOf = (call: ToolCall): object => objectIn(call.arguments);

/** As chat and Cohere write a call. */
export const functionCallOf = ({ id, name, arguments: json }: ToolCall): object => ({
  id,
  type: "function",
  function: { name, arguments: json || "{}" },
});
