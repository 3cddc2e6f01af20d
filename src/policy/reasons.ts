/** What a failure amounts to by its reason alone, where no provider code and no HTTP status says it better. */
import type { FailureReason } from "../base/failure.ts";

/** `"refuse"` ends the call as `"end"` does, and nothing may override it. */
export type LeadsTo = "retry" | "fallback" | "end" | "refuse";

export interface Meaning {
  /** The HTTP status it stands for; `null` where it stands for none. */
  readonly status: number | null;
  readonly leadsTo: LeadsTo;
}

/** The same endpoint may be tried again, or the next. */
/* @__NO_SIDE_EFFECTS__ */ export const retry = (status: number): Meaning => ({ status, leadsTo: "retry" });
/** Only the next endpoint may be tried. */
/* @__NO_SIDE_EFFECTS__ */ export const fallback = (status: number): Meaning => ({ status, leadsTo: "fallback" });
/** The call is over. */
/* @__NO_SIDE_EFFECTS__ */ export const end = (status: number | null): Meaning => ({ status, leadsTo: "end" });

export const byReason: Readonly<Record<FailureReason, Meaning>> = {
  connection_failed: retry(503),
  connection_lost: retry(503),
  closed_before_terminal: retry(502),
  empty: retry(502),
  provider_error: fallback(502),
  not_a_stream: fallback(502),
  malformed_event: fallback(502),
  too_large: fallback(502),
  abnormal_stop: fallback(502),
  timeout_connect: fallback(504),
  timeout_first_token: fallback(504),
  timeout_idle: fallback(504),
  timeout_stall: fallback(504),
  transport_timeout: fallback(504),
  timeout_gate: end(504),
  timeout_total: end(504),
  timeout_consumer: end(504),
  // Redirects, 1xx, 204 and 205: the host answers, but not to chat calls.
  http_error: end(502),
  configuration: end(500),
  no_endpoint: end(503),
  refused: { status: 403, leadsTo: "refuse" },
  aborted: end(null),
  // The provider's own endings: half an answer, but no failure of the host.
  length: end(null),
  content_filter: end(null),
  paused: end(null),
};
