/** What a failure amounts to by its reason alone, where no provider code and no HTTP status says it better. */
import type { FailureReason } from "../base/failure.ts";

/**
 * `"retry"`: the same endpoint may be tried again, or the next one. `"fallback"`: only the next one may.
 * `"end"`: the call is over. `"refuse"`: the same, and nothing may override it.
 */
export type LeadsTo = "retry" | "fallback" | "end" | "refuse";

export interface Verdict {
  /** The HTTP status it stands for; `null` where it stands for none. */
  readonly status: number | null;
  readonly leadsTo: LeadsTo;
}

const again = (status: number): Verdict => ({ status, leadsTo: "retry" });
const elsewhere = (status: number): Verdict => ({ status, leadsTo: "fallback" });
const over = (status: number | null): Verdict => ({ status, leadsTo: "end" });

export const byReason: Readonly<Record<FailureReason, Verdict>> = {
  connection_failed: again(503),
  connection_lost: again(503),
  closed_before_terminal: again(502),
  empty: again(502),
  provider_error: elsewhere(502),
  not_a_stream: elsewhere(502),
  malformed_event: elsewhere(502),
  too_large: elsewhere(502),
  abnormal_stop: elsewhere(502),
  timeout_connect: elsewhere(504),
  timeout_first_token: elsewhere(504),
  timeout_idle: elsewhere(504),
  timeout_stall: elsewhere(504),
  transport_timeout: elsewhere(504),
  timeout_gate: over(504),
  timeout_total: over(504),
  timeout_consumer: over(504),
  // Redirects, 1xx, 204 and 205: the host answers, and not to chat calls.
  http_error: over(502),
  configuration: over(500),
  no_endpoint: over(503),
  refused: { status: 403, leadsTo: "refuse" },
  aborted: over(null),
  // The provider's own endings: half an answer, and no failure of a host.
  length: over(null),
  content_filter: over(null),
  paused: over(null),
};
