/** When what was held may be handed on: pure, asked after every read until it has opened. */
import type { FailureReason } from "../base/failure.ts";
import type { Timeline } from "../timing/timeline.ts";
import type { ResolvedGate } from "./bounds.ts";

/** What was seen of the held answer. */
export interface Held {
  readonly bytes: number;
  readonly output: boolean;
  readonly content: boolean;
  /** A tool that the provider runs has started: what it did is never repeated silently. */
  readonly providerTool: boolean;
  /** The answer has failed, after whatever of the above came before it. */
  readonly failed: boolean;
}

export function heldOf(
  { bytes, firstOutputAt, firstContentAt }: Pick<Timeline, "bytes" | "firstOutputAt" | "firstContentAt">,
  { providerTool, failure }: { readonly providerTool: boolean; readonly failure: FailureReason | null },
): Held {
  const [output, content] = [firstOutputAt !== null, firstContentAt !== null];
  return { bytes, output, content, providerTool, failed: failure !== null };
}

/** `null` = stay held. That a terminal event opens it, too, is decided where the answer ends. */
export function gateOpens(held: Held, { opensOn, maxBytes }: ResolvedGate): "opened" | "overflow" | null {
  if (held.providerTool || held.content || (held.output && opensOn !== "content")) return "opened";
  if (held.failed) return null;
  if (opensOn === "headers") return "opened";
  return held.bytes > maxBytes ? "overflow" : null;
}
