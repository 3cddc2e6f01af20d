/** From what was seen to a `Failure`: our sentence, the provider's type and code, its words redacted, the cause scrubbed. */
import type { Failure, FailureReason } from "../base/failure.ts";
import { redact, redactProviderMessage } from "../base/redact.ts";
import { scrubCause } from "../base/scrub.ts";
import { isRefusal, statusOf } from "../policy/provider-codes.ts";
import type { LimitName } from "../timing/due.ts";
import type { ProviderError } from "./answer.ts";

/** What is known of a failure where it happens. */
export interface FailureDetails {
  /** The limit that passed. */
  readonly limitMs?: number | undefined;
  readonly httpStatus?: number | null | undefined;
  readonly contentType?: string | null | undefined;
  readonly retryAfterMs?: number | null | undefined;
  readonly shouldRetry?: boolean | null | undefined;
  readonly rawStopReason?: string | null | undefined;
  readonly providerError?: ProviderError | null | undefined;
  /** A refusal by policy that only the HTTP answer shows. */
  readonly refused?: boolean | undefined;
  /** Our own sentence where the usual one says too little. */
  readonly message?: string | undefined;
  /** The runtime's: only a scrubbed copy of it is kept. */
  readonly cause?: unknown;
  /** The caller's own (an abort reason, the error of a function it gave): kept as it is. */
  readonly ownCause?: unknown;
}

/** What a limit that has passed is called. */
export const EXPIRED = {
  connect: "timeout_connect",
  first_token: "timeout_first_token",
  idle: "timeout_idle",
  stall: "timeout_stall",
  gate: "timeout_gate",
  total: "timeout_total",
  consumer: "timeout_consumer",
  detail: "provider_error",
} as const satisfies Record<LimitName, FailureReason>;

/** What must not come back in anybody's words. */
export interface Sent {
  readonly values: readonly string[];
  readonly body: string;
  /** `null` where a refusal can be none any more. */
  readonly refusalCodes: readonly string[] | null;
}

/** Of what a server calls its failure. */
const LONGEST_WORD = 128;
const NOTHING_SENT: Sent = { values: [], body: "", refusalCodes: [] };

export function failureOf(reason: FailureReason, details: FailureDetails, sent: Sent = NOTHING_SENT): Failure {
  const { providerError = null, httpStatus = null, contentType = null, rawStopReason = null } = details;
  const said = { providerCode: providerError?.code ?? null, providerType: providerError?.type ?? null, httpStatus };
  const { refusalCodes } = sent;
  const refuses =
    details.refused === true || (refusalCodes !== null && isServersWord(reason) && isRefusal(said, refusalCodes));
  const named = refuses ? "refused" : reason;
  const words = providerError?.message;
  const echoes = { sentValues: sent.values, requestBody: sent.body };
  // Gateways have put the key itself where a code belongs (BerriAI/litellm#18731).
  const word = (text: string | null) => text && redact(text, echoes, LONGEST_WORD);
  return {
    reason: named,
    message: details.message ?? sentenceOf(named, details),
    providerMessage: words ? redactProviderMessage(words, echoes) : null,
    status: statusOf(named, said, refusalCodes ?? []),
    httpStatus,
    contentType,
    rawStopReason: word(rawStopReason),
    providerType: word(said.providerType),
    providerCode: word(said.providerCode),
    retryAfterMs: details.retryAfterMs ?? null,
    shouldRetry: details.shouldRetry ?? null,
    cause: details.ownCause ?? scrubCause(details.cause, sent.values),
  };
}

const isServersWord = (reason: FailureReason) => reason === "provider_error" || reason === "http_error";

/** Timers of the runtime's own (undici's), and what each amounts to. */
const OWN_TIMERS: Readonly<Record<string, FailureReason>> = {
  UND_ERR_CONNECT_TIMEOUT: "timeout_connect",
  UND_ERR_HEADERS_TIMEOUT: "transport_timeout",
  UND_ERR_BODY_TIMEOUT: "transport_timeout",
};

/** Why the transport failed: `otherwise`, unless a timer of the runtime's own fired. */
export function transportReason(error: unknown, otherwise: FailureReason): FailureReason {
  let cause: any = error;
  for (let depth = 0; depth < 8 && typeof cause === "object" && cause !== null; depth++, cause = cause.cause) {
    const reason = Object.hasOwn(OWN_TIMERS, cause.code ?? "") ? OWN_TIMERS[cause.code] : undefined;
    if (reason !== undefined) return reason;
  }
  return otherwise;
}

/**
 * One line, fit for a log. None holds "timeout" or "timed out": two SDKs look for these words and then drop the error
 * that they belong to.
 */
function sentenceOf(reason: FailureReason, { limitMs, httpStatus }: FailureDetails): string {
  return SENTENCES[reason]
    .replace("{ms}", limitMs === undefined ? "its time" : `${limitMs} ms`)
    .replace("{status}", `${httpStatus}`);
}

const SENTENCES: Record<FailureReason, string> = {
  aborted: "the caller ended the call",
  abnormal_stop: "the answer ended with a stop reason that is not known",
  closed_before_terminal: "the stream ended without its success signal",
  configuration: "the request could not be built",
  connection_failed: "the connection failed before a response came",
  connection_lost: "the connection was lost within the answer",
  content_filter: "a content filter ended the answer",
  empty: "the answer ended before any output",
  http_error: "the server answered with status {status}",
  length: "the answer was cut at the token limit",
  malformed_event: "the stream held an event that is not of its protocol",
  no_endpoint: "no endpoint could be tried",
  not_a_stream: "the answer is not a stream",
  paused: "the provider paused the answer",
  provider_error: "the provider reported an error",
  refused: "the gateway refused the request by its policy",
  timeout_connect: "no connection within {ms} (connect limit)",
  timeout_consumer: "nobody read the answer for {ms} (consumer limit)",
  timeout_first_token: "no output within {ms} (first-token limit)",
  timeout_gate: "no output from any endpoint within {ms} (gate limit)",
  timeout_idle: "no bytes for {ms} (idle limit)",
  timeout_stall: "no event for {ms} (stall limit)",
  timeout_total: "no end within {ms} (total limit)",
  too_large: "the answer passed a size bound",
  transport_timeout: "the runtime's own timer ended the request",
};
