/** Our error inside what an SDK threw: SDKs wrap, copy and rename what they are given. */
import { isTtftError, type TtftError } from "../turn/errors.ts";
import { CALL_HEADER, errorByCall } from "./relay.ts";

/** No SDK nests like this; a cycle ends by itself. */
const MOST_LOOKED_AT = 32;

/** Finds ours inside what an SDK threw: through `cause` chains, and for error responses through the headers it kept. */
export function findTtftError(error: unknown): TtftError | null {
  const found = new Set<any>([error]);
  for (const each of found) {
    if (found.size > MOST_LOOKED_AT) break;
    if (typeof each !== "object" || each === null) continue;
    try {
      if (isTtftError(each)) return each;
      const { headers, responseHeaders, response, cause, lastError, error } = each;
      const ours = errorByCall(callIdIn(headers) ?? callIdIn(responseHeaders) ?? callIdIn(response?.headers));
      if (ours) return ours;
      // `lastError`: how the AI SDK's retry error names what it gave up on.
      found.add(cause).add(lastError).add(error);
    } catch {
      // A getter that throws, in an object that anybody may have thrown: it is none of ours.
    }
  }
  return null;
}

function callIdIn(headers: any): string | null {
  const id = typeof headers?.get === "function" ? headers.get(CALL_HEADER) : headers?.[CALL_HEADER];
  return typeof id === "string" ? id : null;
}
