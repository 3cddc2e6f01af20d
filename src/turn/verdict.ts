/**
 * Whether an answer is whole. One rule for every protocol: complete if, and only if, the success signal was seen, no
 * failure was seen, and the stop reason is absent or one the model chose.
 */
import type { FailureReason, IncompleteReason } from "../base/failure.ts";
import type { StopReason } from "../protocol/protocol.ts";

/** What was seen of an answer by the time it ended. */
export interface AnswerFacts {
  /** The protocol's success signal. */
  readonly signal: boolean;
  /** The provider ended the answer itself, without the success signal (`response.incomplete`). */
  readonly ended: boolean;
  readonly stopReason: StopReason | null;
  readonly rawStopReason: string | null;
  /** Anything was generated, or a tool was run by the provider. */
  readonly anything: boolean;
  /** Text or a tool call: what a refusal afterwards takes back. */
  readonly content: boolean;
}

/** No response came. */
export const NOTHING_SEEN: AnswerFacts = {
  signal: false,
  ended: false,
  stopReason: null,
  rawStopReason: null,
  anything: false,
  content: false,
};

export interface VerdictRules {
  readonly accept: readonly StopReason[];
  /** A known stop reason and a clean end are enough. */
  readonly lenient: boolean;
  /** Does this stop reason name a provider's error (`overloaded_error`)? */
  readonly isErrorCode: (rawStopReason: string) => boolean;
}

export type Verdict =
  | { readonly status: "complete" }
  | { readonly status: "incomplete"; readonly reason: FailureReason; readonly terminal: boolean };

const CHOSEN_BY_MODEL: readonly StopReason[] = ["stop", "stop_sequence", "tool_calls", "refusal"];
const COMPLETE: Verdict = { status: "complete" };
const cut = (reason: FailureReason): Verdict => ({ status: "incomplete", reason, terminal: false });

/**
 * `failed` is why the attempt was cut short (in-band error, reset, limit, abort), `null` if the body ended by itself or
 * the provider's last event came. Order where several hold: failure, stop reason, missing signal, emptiness.
 */
export function judge(facts: AnswerFacts, failed: FailureReason | null, rules: VerdictRules): Verdict {
  if (failed !== null) return cut(failed);
  const stop = effectiveStop(facts);
  if (stop === null && facts.rawStopReason !== null) {
    return cut(rules.isErrorCode(facts.rawStopReason) ? "provider_error" : "abnormal_stop");
  }
  if (stop !== null && !CHOSEN_BY_MODEL.includes(stop)) {
    if (!rules.accept.includes(stop)) return { status: "incomplete", reason: stop as IncompleteReason, terminal: true };
    if (facts.ended) return COMPLETE;
  }
  if (!facts.anything && stop === null) return cut("empty");
  if (facts.signal || (rules.lenient && stop !== null)) return COMPLETE;
  return cut("closed_before_terminal");
}

/** A refusal after text or a tool call takes half an answer back: that is a filter, not an answer. */
function effectiveStop({ stopReason, content }: AnswerFacts): StopReason | null {
  return stopReason === "refusal" && content ? "content_filter" : stopReason;
}
