/** What a provider would have made of an answer with this content: blocks, ids, usage, reasons, counts. */
import type { IncompleteReason } from "../base/failure.ts";
import type { StopReason, Usage } from "../protocol/protocol.ts";
import type { Timing } from "../timing/timing.ts";
import { isProtocolName, type Rehearsal, rehearse } from "./rehearse.ts";
import type { Script, Step } from "./script.ts";

export interface Content {
  readonly text: string;
  readonly reasoning: string;
  readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: string }[];
  readonly stopReason: StopReason | null;
  /** `null`: it is whole. */
  readonly reason: IncompleteReason | null;
}

export interface Said {
  readonly id: string | null;
  readonly model: string | null;
  readonly rawStopReason: string | null;
  readonly usage: Usage | null;
  readonly lastEvent: string | null;
  readonly successSignal: boolean;
  readonly output: readonly object[];
  readonly counts: Timing;
}

/** For a protocol that is none of the built-in ones the numbers of a chat stand in, without blocks. */
export function said(protocol = "openai-chat", content: Content): Said {
  const rehearsed = isProtocolName(protocol) ? attempt(() => rehearse(protocol, scriptOf(content))) : null;
  const { inspector, timeline } = rehearsed ?? rehearse("openai-chat", scriptOf({ ...content, stopReason: "stop" }));
  const { id, model, rawStopReason, usage } = inspector.answer.assembler;
  return {
    id,
    model,
    rawStopReason: content.stopReason === null ? null : rawStopReason,
    usage,
    lastEvent: inspector.lastEvent,
    successSignal: inspector.answer.signal,
    output: rehearsed === null ? [] : inspector.output,
    counts: timeline.timing(0),
  };
}

function scriptOf({ text, reasoning, toolCalls, stopReason, reason }: Content): Script {
  const steps: Step[] = [];
  if (reasoning !== "") steps.push({ reasoning });
  if (text !== "") steps.push(text);
  for (const { id, name, arguments: written } of toolCalls) steps.push({ toolCall: { id, name, arguments: written } });
  if (stopReason !== null) steps.push({ stop: stopReason });
  else if (reason === null) steps.push({ done: true });
  if (reason !== null && stopReason === null) steps.push({ end: "cut" });
  return steps;
}

/** What the protocol has no words for has no blocks. */
function attempt(rehearsal: () => Rehearsal): Rehearsal | null {
  try {
    return rehearsal();
  } catch {
    return null;
  }
}
