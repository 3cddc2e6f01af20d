/** Our error inside what an SDK threw: SDKs wrap, copy and rename what they are given. */
import { isTtftError, type TtftError } from "../turn/errors.ts";
import { errorByCall } from "./relay.ts";

/** Chains are never this deep; a cycle ends here, too. */
const DEEPEST = 8;

/** Finds ours inside what an SDK threw: through `cause` chains, and for error responses through the headers it kept. */
export function findTtftError(error: unknown): TtftError | null {
  let found: any = error;
  for (let depth = 0; depth < DEEPEST && typeof found === "object" && found !== null; depth++) {
    if (isTtftError(found)) return found;
    const ours = errorByCall(
      callIdIn(found.headers) ?? callIdIn(found.responseHeaders) ?? callIdIn(found.response?.headers),
    );
    if (ours) return ours;
    // `lastError`: how the AI SDK's retry error names what it gave up on.
    found = found.cause ?? found.lastError ?? found.error;
  }
  return null;
}

function callIdIn(headers: any): string | null {
  const id = typeof headers?.get === "function" ? headers.get("x-ttft-call") : headers?.["x-ttft-call"];
  return typeof id === "string" ? id : null;
}
