/** The span of one try at one endpoint: a child of the call's, and what the request's own spans nest under. */
import type { Context, Span, Tracer } from "@opentelemetry/api";
import type { AttemptInfo } from "../turn/observer.ts";
import type { Attempt } from "../turn/record.ts";
import { errorTypeOf } from "./error-type.ts";
import { serverOf } from "./place.ts";
import { inSeconds } from "./seconds.ts";
import { endSpan, setKnown } from "./span.ts";
import { ownName } from "./words.ts";

/** Without an operation name, since tools would count a second call. */
export function startAttempt(tracer: Tracer, { index, kind, endpoint, url }: AttemptInfo, parent: Context): Span {
  const attributes = {
    "ttft.attempt.index": index,
    "ttft.attempt.kind": kind,
    "ttft.endpoint": ownName(endpoint) as string,
    ...serverOf(url),
  };
  return tracer.startSpan("ttft.attempt", { attributes }, parent);
}

export function endAttempt(span: Span, { failure, httpStatus, outcome, backoffMs }: Attempt): void {
  const errorType = errorTypeOf(failure);
  setKnown(span, {
    "http.response.status_code": httpStatus,
    "error.type": errorType,
    "ttft.outcome": outcome,
    "ttft.failure.status": failure?.status,
    "ttft.backoff": inSeconds(backoffMs),
  });
  endSpan(span, errorType && failure?.message);
}
