/** When a server wants to be asked again: its headers, or the field of its error body, as milliseconds from now. */

export interface RetryAfterSources {
  /** Header `retry-after-ms`. */
  readonly retryAfterMs: string | null;
  /** Header `retry-after`: seconds or a date. */
  readonly retryAfter: string | null;
  /** Header `date` of the same response: what a date is measured against, so that our wall clock need not be right. */
  readonly date: string | null;
  /** `retry_after` of the error body, in seconds. */
  readonly body?: unknown;
}

const DECIMAL = /^\d+(\.\d+)?$/;

function decimalOf(text: string, unitMs: number): number | null {
  const ms = DECIMAL.test(text) ? Number(text) * unitMs : Infinity;
  return ms < Infinity ? Math.round(ms) : null;
}

/** Epoch ms of an IMF-fixdate (RFC 9110 §5.6.7), which is exactly what `toUTCString` writes; `null` for all else. */
function dateOf(text: string): number | null {
  const epoch = Date.parse(text);
  return epoch > -Infinity && new Date(epoch).toUTCString() === text ? epoch : null;
}

/** A date in the past is 0. A value in any other form is as good as none: the back-off decides. */
export function retryAfterMs(sources: RetryAfterSources, wallNow: number): number | null {
  const inMs = decimalOf(sources.retryAfterMs?.trim() ?? "", 1);
  if (inMs !== null) return inMs;
  const text = sources.retryAfter?.trim() ?? "";
  const inSeconds = decimalOf(text, 1_000);
  if (inSeconds !== null) return inSeconds;
  const until = dateOf(text);
  if (until !== null) return Math.max(0, until - (dateOf(sources.date?.trim() ?? "") ?? wallNow));
  const { body } = sources;
  return typeof body === "number" || typeof body === "string" ? decimalOf(String(body), 1_000) : null;
}
