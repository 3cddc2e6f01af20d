/** Failures as an attempt would describe them, for tests that only care about a part. */
import type { Failure } from "../../src/base/failure.ts";
import { statusOf } from "../../src/policy/provider-codes.ts";

export function failureOf(part: Partial<Failure> & Pick<Failure, "reason">): Failure {
  const answer = { providerCode: null, providerType: null, httpStatus: null, ...part };
  return {
    message: "it failed",
    providerMessage: null,
    status: statusOf(part.reason, answer),
    contentType: null,
    rawStopReason: null,
    retryAfterMs: null,
    shouldRetry: null,
    cause: null,
    ...answer,
  };
}

export const httpError = (httpStatus: number, part: Partial<Failure> = {}): Failure =>
  failureOf({ reason: "http_error", httpStatus, ...part });

/** A failure that a stream with status 200 reports. */
export const inBand = (part: Partial<Failure>): Failure =>
  failureOf({ reason: "provider_error", httpStatus: 200, ...part });
