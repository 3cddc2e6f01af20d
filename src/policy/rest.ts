/** How long an endpoint is left alone because it said when to come back. */
import type { Failure } from "../base/failure.ts";

/** A server may ask for an hour; we ask again after this long. */
const LONGEST_REST_MS = 60_000;

const ASKS_FOR_REST: ReadonlySet<number | null> = /* @__PURE__ */ new Set([429, 503, 529]);

/** Milliseconds of rest; 0 if none was asked for. A refusal by policy gives none: no other endpoint may be preferred to it. */
export function restOf({ reason, status, httpStatus, retryAfterMs }: Failure): number {
  if (retryAfterMs === null || reason === "refused") return 0;
  return ASKS_FOR_REST.has(status) || ASKS_FOR_REST.has(httpStatus) ? Math.min(retryAfterMs, LONGEST_REST_MS) : 0;
}
