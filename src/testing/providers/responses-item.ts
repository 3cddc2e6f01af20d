/** The output items of a scripted Responses stream: what announces one, carries its deltas and closes it. */
import type { ScriptedCall } from "./provider.ts";

/** Event type and fields; the stream numbers it. */
type Event = readonly [type: string, fields: object];

export interface Item {
  readonly kind: "output_text" | "refusal" | "reasoning" | "function_call";
  readonly added: readonly Event[];
  delta(text: string): Event;
  done(status: string): { readonly events: readonly Event[]; readonly item: object };
}

/** The `done` events that repeat the whole: of the innermost part first, the item last. */
function closed(index: number, parts: readonly Event[], item: object) {
  return { events: [...parts, ["response.output_item.done", { output_index: index, item }] as Event], item };
}

export function messageItem(id: string, index: number, kind: "output_text" | "refusal"): Item {
  let said = "";
  const field = kind === "refusal" ? "refusal" : "text";
  const where = { item_id: id, output_index: index, content_index: 0 };
  const part = () => ({ type: kind, [field]: said, ...(kind === "refusal" ? {} : { annotations: [], logprobs: [] }) });
  const message = (status: string, content: object[]) => ({ id, type: "message", status, content, role: "assistant" });
  return {
    kind,
    added: [
      ["response.output_item.added", { output_index: index, item: message("in_progress", []) }],
      ["response.content_part.added", { ...where, part: part() }],
    ],
    delta(text) {
      said += text;
      return [`response.${kind}.delta`, { ...where, delta: text, ...(kind === "refusal" ? {} : { logprobs: [] }) }];
    },
    done: (status) =>
      closed(
        index,
        [
          [`response.${kind}.done`, { ...where, [field]: said, ...(kind === "refusal" ? {} : { logprobs: [] }) }],
          ["response.content_part.done", { ...where, part: part() }],
        ],
        message(status, [part()]),
      ),
  };
}

export function reasoningItem(id: string, index: number): Item {
  let said = "";
  const where = { item_id: id, output_index: index, summary_index: 0 };
  const part = () => ({ type: "summary_text", text: said });
  return {
    kind: "reasoning",
    added: [
      ["response.output_item.added", { output_index: index, item: { id, type: "reasoning", summary: [] } }],
      ["response.reasoning_summary_part.added", { ...where, part: part() }],
    ],
    delta(text) {
      said += text;
      return ["response.reasoning_summary_text.delta", { ...where, delta: text }];
    },
    done: () =>
      closed(
        index,
        [
          ["response.reasoning_summary_text.done", { ...where, text: said }],
          ["response.reasoning_summary_part.done", { ...where, part: part() }],
        ],
        { id, type: "reasoning", summary: [part()] },
      ),
  };
}

export function toolItem(id: string, index: number, call: ScriptedCall): Item {
  const where = { item_id: id, output_index: index };
  const item = (status: string, text: string) => ({
    id,
    type: "function_call",
    status,
    arguments: text,
    call_id: call.id,
    name: call.name,
  });
  return {
    kind: "function_call",
    added: [["response.output_item.added", { output_index: index, item: item("in_progress", "") }]],
    delta: (text) => ["response.function_call_arguments.delta", { ...where, delta: text }],
    done: (status) =>
      closed(
        index,
        [["response.function_call_arguments.done", { ...where, arguments: call.arguments }]],
        item(status, call.arguments),
      ),
  };
}
