/** The numbers of a call or an attempt: what the timeline comes to. */

/** Milliseconds on one monotonic clock; `null` when not reached. */
export interface Timing {
  readonly connectMs: number | null;
  readonly headersMs: number | null;
  readonly firstByteMs: number | null;
  /** First event that is not a keep-alive. */
  readonly firstEventMs: number | null;
  /** First output of any kind: text, reasoning, refusal, or a tool call whose name is known. */
  readonly firstOutputMs: number | null;
  /** First content. `null` if the answer was not streamed. */
  readonly ttftMs: number | null;
  readonly totalMs: number | null;
  readonly maxGapMs: number | null;
  readonly contentChunks: number;
  readonly events: number;
  readonly keepAlives: number;
  readonly bytes: number;
  readonly suspendedMs: number;
  readonly firstTokenLimitExceeded: boolean;
  /** 0-based index of the event (SSE event or NDJSON line, comments not counted) that carried the first output / content. */
  readonly firstOutputEvent: number | null;
  readonly firstContentEvent: number | null;
}

/** Nothing was reached. */
export const EMPTY_TIMING: Timing = Object.freeze({
  connectMs: null,
  headersMs: null,
  firstByteMs: null,
  firstEventMs: null,
  firstOutputMs: null,
  ttftMs: null,
  totalMs: null,
  maxGapMs: null,
  contentChunks: 0,
  events: 0,
  keepAlives: 0,
  bytes: 0,
  suspendedMs: 0,
  firstTokenLimitExceeded: false,
  firstOutputEvent: null,
  firstContentEvent: null,
});
