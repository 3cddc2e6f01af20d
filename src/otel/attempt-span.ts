/** The span of one try at one endpoint: a child of the call's, and what the request's own spans nest under. */
import { type Context, type Span, SpanStatusCode, type Tracer } from "@opentelemetry/api";
import type { AttemptInfo } from "../turn/observer.ts";
import type { Attempt } from "../turn/record.ts";
import { errorTypeOf } from "./error-type.ts";
import { serverOf } from "./place.ts";
import { inSeconds } from "./seconds.ts";
import { known, ownName } from "./words.ts";

/** It has no operation name: a tool would count a second call. */
export function startAttempt(tracer: Tracer, { index, kind, endpoint, url }: AttemptInfo, parent: Context): Span {
  const attributes = {
    "ttft.attempt.index": index,
    "ttft.attempt.kind": kind,
    "ttft.endpoint": ownName(endpoint) as string,
    ...serverOf(url),
  };
  return tracer.startSpan("ttft.attempt", { attributes }, parent);
}

export function endAttempt(span: Span, result: Attempt): void {
  const { failure } = result;
  const errorType = errorTypeOf(failure);
  span.setAttributes(
    known({
      "http.response.status_code": result.httpStatus ?? undefined,
      "error.type": errorType,
      "ttft.outcome": result.outcome ?? undefined,
      "ttft.failure.status": failure?.status ?? undefined,
      "ttft.backoff": inSeconds(result.backoffMs),
    }),
  );
  if (errorType !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure?.message ?? errorType });
  span.end();
}
