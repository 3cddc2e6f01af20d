/** What can go wrong, as data. Nothing below the façades throws a failure: it is returned, recorded and decided on. */

/** Why an answer that had begun is not whole. Closed list: `switch` over it without `default`. */
export type IncompleteReason =
  | "closed_before_terminal"
  | "connection_lost"
  | "provider_error"
  | "malformed_event"
  | "too_large"
  | "empty"
  | "length"
  | "content_filter"
  | "paused"
  | "abnormal_stop"
  | "timeout_first_token"
  | "timeout_idle"
  | "timeout_stall"
  | "timeout_total"
  | "timeout_consumer"
  | "transport_timeout"
  | "aborted";

/** Why an attempt failed: the same, and what can only happen before output. */
export type FailureReason =
  | IncompleteReason
  | "timeout_connect"
  | "timeout_gate"
  | "connection_failed"
  | "http_error"
  | "not_a_stream"
  | "refused"
  | "configuration"
  | "no_endpoint";

/** How a call ended, in records and telemetry. */
export type Outcome = "complete" | FailureReason;

/** What happened, as data. Attempts, incomplete turns and `CallError` all carry this. */
export interface Failure {
  readonly reason: FailureReason;
  /** Our sentence, fit for a log: no provider text, no key, no header, no prompt. */
  readonly message: string;
  /** The provider's words, at most 300 characters, with every header and query value we sent replaced by `[redacted]`. `null` in records and for observers. */
  readonly providerMessage: string | null;
  /** What the failure amounts to (the table of provider codes, else the HTTP status, else by reason). */
  readonly status: number | null;
  /** What the server really sent. */
  readonly httpStatus: number | null;
  readonly contentType: string | null;
  readonly rawStopReason: string | null;
  readonly providerType: string | null;
  readonly providerCode: string | null;
  readonly retryAfterMs: number | null;
  /** The server's own word on a retry at the same endpoint (`x-should-retry`). */
  readonly shouldRetry: boolean | null;
  /** `null` in records and for observers. */
  readonly cause: unknown;
}
