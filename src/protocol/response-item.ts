/** One output item of a Responses stream: what kind it is, what of it has come, and how it is sent back. */
import { textIn } from "./fields.ts";
import { type Call, jsonText } from "./tool-calls.ts";

export type PartType = "output_text" | "refusal" | "reasoning_text" | "summary_text";

export interface Part {
  readonly type: PartType;
  /** Kept only where output is collected. */
  text: string;
  hasCome: boolean;
}

export interface Item {
  /** Our own count: what text and reasoning events name the item by. */
  readonly index: number;
  /** `call_id` of a call, else the item's own id. */
  id: string;
  type: string;
  /** The provider's own, as far as it has come; `null` if none has, or nothing is collected. */
  raw: any;
  /** `raw` is the item as it ended. */
  isDone: boolean;
  /** Text of it came in pieces: the whole only repeats it. */
  isStreamed: boolean;
  call: Call | null;
  /** Started by the provider, and said so. */
  isAnnounced: boolean;
  /** By the provider's content index; parts of a summary by the complement of theirs. */
  readonly parts: Map<unknown, Part>;
}

const CLIENT_CALLS = new Set([
  "function_call",
  "custom_tool_call",
  "local_shell_call",
  "shell_call",
  "apply_patch_call",
  "computer_call",
  "mcp_approval_request",
]);

/** Does it wait for the client? A shell in the provider's own container does not, nor does the provider's own search. */
export function isClientCall({ type, execution, environment }: any): boolean {
  if (type === "tool_search_call") return execution === "client";
  return CLIENT_CALLS.has(type) && environment?.type !== "container_reference";
}

/** Functions and custom tools have a name; any other call is known by what it is. */
export const callName = ({ type, name }: any): string =>
  type === "function_call" || type === "custom_tool_call" ? textIn(name) : type;

export const callArguments = ({ arguments: json, input, action, actions, operation }: any): string =>
  jsonText(json ?? input ?? action ?? actions ?? operation);

export const idOf = ({ call_id, id }: any): string => textIn(call_id) || textIn(id);

/** The parts of a whole item by their keys. Reasoning has its text, or else a summary. */
export function partsOf({ content, summary }: any): readonly [key: unknown, part: any][] {
  const hasContent = Array.isArray(content) && content.length > 0;
  const parts: any[] = hasContent ? content : Array.isArray(summary) ? summary : [];
  return parts.map((part, index) => [hasContent ? index : ~index, part]);
}

export const isThought = (type: string): boolean => type === "reasoning_text" || type === "summary_text";

/** The item as it stands, in the provider's own shape; `null` if there is nothing to show. */
export function itemBlock({ raw, isDone, call, parts, type }: Item): object | null {
  if (isDone) return raw;
  if (call)
    return raw && call.kept ? { ...raw, [type === "custom_tool_call" ? "input" : "arguments"]: call.kept } : raw;
  const all = [...parts.values()];
  if (!all[0]) return raw;
  if (!isThought(all[0].type)) return { type: "message", role: "assistant", ...raw, content: all.map(partBlock) };
  const summary = all.filter((part) => part.type === "summary_text").map(partBlock);
  const content = all.filter((part) => part.type !== "summary_text").map(partBlock);
  return { type: "reasoning", ...raw, summary, content };
}

function partBlock({ type, text }: Part): object {
  if (type === "refusal") return { type, refusal: text };
  return type === "output_text" ? { type, text, annotations: [] } : { type, text };
}
