/** What is read of a line that `turn.toJSON()` wrote: the record, or the whole turn. */
import * as z from "zod/mini";
import type { Attempt, CallRecord } from "../../turn/record.ts";

const ms = z.nullable(z.number().check(z.minimum(0)));
const text = z.nullable(z.string());
const timing = z.object({
  headersMs: ms,
  firstEventMs: ms,
  firstOutputMs: ms,
  ttftMs: ms,
  totalMs: ms,
  maxGapMs: ms,
});
const attempt = z.object({
  endpoint: z.string(),
  kind: z.enum(["initial", "retry", "fallback", "hedge"]),
  outcome: z.nullable(z.string().check(z.maxLength(64))),
  startMs: z.number().check(z.minimum(0)),
  timing,
});
const line = z.object({
  callId: z._default(z.string(), ""),
  startedAt: z._default(z.number(), 0),
  outcome: z.optional(z.string().check(z.maxLength(64))),
  // A whole turn says the same in two fields.
  status: z.optional(z.enum(["complete", "incomplete"])),
  reason: z.optional(z.string().check(z.maxLength(64))),
  endpoint: text,
  model: text,
  label: z._default(text, null),
  promptBand: z._default(z.enum(["<2k", "2k-16k", "16k-64k", ">=64k", "unknown"]), "unknown"),
  successSignal: z.boolean(),
  timing,
  attempts: z.array(attempt).check(z.maxLength(100)),
});

type TurnTiming = z.infer<typeof timing>;

/** The part of an attempt that is measured. */
export interface TurnAttempt extends Pick<Attempt, "endpoint" | "kind" | "outcome" | "startMs"> {
  readonly timing: TurnTiming;
}

/** The part of a record that is measured. A `CallRecord` is one. */
export interface TurnRecord
  extends Pick<
    CallRecord,
    "callId" | "startedAt" | "outcome" | "endpoint" | "model" | "label" | "promptBand" | "successSignal"
  > {
  readonly timing: TurnTiming;
  readonly attempts: readonly TurnAttempt[];
}

/** The record, or which field is not one. */
export function turnRecordOf(value: unknown): TurnRecord | string {
  const { success, data, error } = line.safeParse(value);
  if (!success) return `${error.issues[0]?.path.join(".") || "the line"} is not that of a turn`;
  const outcome = data.outcome ?? (data.status === "complete" ? "complete" : data.reason);
  // Counted by name, whatever the name: an unknown outcome is one of a later version.
  return outcome === undefined ? "outcome is not that of a turn" : ({ ...data, outcome } as TurnRecord);
}
