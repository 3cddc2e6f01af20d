/** One output item of a Responses stream: what of it has come, who has to act on it, and how it is sent back. */
import type { GrowingText } from "../base/growing-text.ts";
import { textIn } from "./fields.ts";
import type { Call } from "./tool-calls.ts";

export type PartType = "output_text" | "refusal" | "reasoning_text" | "summary_text";

export interface Part {
  readonly type: PartType;
  /** Kept only where output is collected. */
  readonly text: GrowingText;
  hasCome: boolean;
}

export interface Item {
  /** Our own count: what text and reasoning events name the item by. */
  readonly index: number;
  /** `""` as long as only pieces of it have come, and they do not tell. */
  type: string;
  id: string;
  /** The provider's own, as far as it has come; `null` if none has, or nothing is collected. */
  raw: any;
  /** `raw` is the item as it ended. */
  isDone: boolean;
  /** Text of it came in pieces: the whole only repeats it. */
  isStreamed: boolean;
  call: Call | null;
  /** By the provider's content index; parts of a summary by the complement of theirs. */
  readonly parts: Map<unknown, Part>;
}

export const isThought = (type: string): boolean => type === "reasoning_text" || type === "summary_text";

export const isSaid = (type: string): boolean => isThought(type) || type === "output_text" || type === "refusal";

/** What the client names in its answer. */
export const idOf = ({ call_id, id }: any): string => textIn(call_id) || textIn(id);

/** A call that waits for the client. The provider's own search does not, nor does a shell in a container of its own. */
export const isClientCall = ({ type, execution, environment }: any): boolean =>
  type === "tool_search_call"
    ? execution === "client"
    : /^((function|custom_tool|local_shell|shell|apply_patch|computer)_call|mcp_approval_request)$/.test(type) &&
      environment?.type !== "container_reference";

/** The item as it stands, in the provider's own shape; `null` if nothing of it can be shown. */
export function blockOf({ type, raw, isDone, call, parts }: Item): object | null {
  if (isDone) return raw;
  if (call) {
    const input = type === "custom_tool_call" ? "input" : "arguments";
    return call.kept.length > 0 ? raw && { ...raw, [input]: `${call.kept}` } : raw;
  }
  if (parts.size === 0) return raw;
  const blocks = Array.from(parts.values(), ({ type, text }) => ({
    type,
    [type === "refusal" ? type : "text"]: `${text}`,
  }));
  if (type !== "reasoning") return { type, role: "assistant", ...raw, content: blocks };
  const isSummary = (block: { type: string }): boolean => block.type === "summary_text";
  return { type, ...raw, summary: blocks.filter(isSummary), content: blocks.filter((block) => !isSummary(block)) };
}
