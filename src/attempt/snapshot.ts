/** What is written down of an attempt and of its failure: from what it has seen, at any moment. Pure. */
import type { Failure, FailureReason } from "../base/failure.ts";
import type { Timeline } from "../timing/timeline.ts";
import type { Attempt } from "../turn/record.ts";
import { type FailureDetails, failureOf } from "./failures.ts";
import type { Inspector } from "./inspector.ts";
import { type PreparedRequest, sentValues } from "./request.ts";
import { type Answered, mediaTypeOf, requestIdOf } from "./response.ts";
import type { AttemptSetup } from "./setup.ts";

/** An attempt, as far as it is written down. */
export interface Observed {
  readonly setup: AttemptSetup<never>;
  readonly timeline: Timeline;
  readonly outcome: Attempt["outcome"];
  readonly gate: Attempt["gate"];
  readonly failure: Failure | null;
  readonly request: PreparedRequest | null;
  readonly inspector: Inspector | null;
  readonly response: Response | null;
  readonly answered: Answered | null;
  readonly streamed: boolean;
}

export function attemptRecord(attempt: Observed): Attempt {
  const { setup, timeline, failure, response, answered } = attempt;
  const { index, endpoint, kind, startMs } = setup.info;
  return {
    index,
    endpoint,
    kind,
    outcome: attempt.outcome,
    startMs,
    backoffMs: setup.backoffMs,
    dispatched: attempt.request !== null,
    status: failure?.status ?? null,
    httpStatus: response?.status ?? answered?.status ?? null,
    requestId: requestIdIn(attempt),
    gate: attempt.gate,
    failure,
    timing: timeline.timing(timeline.startedAt, attempt.streamed),
  };
}

export function requestIdIn({ response, answered, setup }: Observed): string | null {
  const headers = response?.headers ?? answered?.headers;
  return headers ? requestIdOf(headers, setup.requestIdHeader) : null;
}

/** `details` is what its place of origin knows; the rest is what the attempt has seen. */
export function failureSeen(reason: FailureReason, details: FailureDetails, attempt: Observed): Failure {
  const { inspector, response, request, gate, setup } = attempt;
  const rawStopReason = inspector?.answer.assembler.rawStopReason ?? null;
  const named = rawStopReason === null ? null : { code: rawStopReason, type: null, message: "" };
  const seen = response && {
    httpStatus: response.status,
    contentType: mediaTypeOf(response.headers),
    rawStopReason,
    providerError: inspector?.answer.providerError ?? (reason === "provider_error" ? named : null),
  };
  const sent = {
    values: request ? sentValues(request.url, request.headers) : [],
    body: request?.body ?? "",
    // A refusal takes back nothing that was released.
    refusalCodes: gate === null ? setup.refusalCodes : null,
  };
  return failureOf(reason, { ...seen, ...details }, sent);
}
