/** From a built request to a response worth reading, or to the failure that its head shows. Comes before `read.ts`. */
import type { FailureReason } from "../base/failure.ts";
import { retryAfterMs } from "../policy/retry-after.ts";
import { redirectTarget } from "./address.ts";
import { type FailureDetails, transportReason } from "./failures.ts";
import type { Milestones } from "./milestones.ts";
import { letGo } from "./release.ts";
import { type PreparedRequest, requestInit } from "./request.ts";
import { type Answered, errorIn, mediaTypeOf, readAnswered } from "./response.ts";
import type { AttemptSetup } from "./setup.ts";
import { watchConnection, withoutOwnTimers } from "./undici.ts";

export type Connection =
  | { readonly ok: true; readonly response: Response }
  | {
      readonly ok: false;
      readonly reason: FailureReason;
      readonly details: FailureDetails;
      readonly answered: Answered | null;
    };

/** Never rejects, whatever `fetch` gives. */
export async function connect(
  request: PreparedRequest,
  setup: AttemptSetup<never>,
  signal: AbortSignal,
  milestones: Milestones,
): Promise<Connection> {
  // What was sent as a stream is gone: it cannot be sent to a second address.
  const follows = !("body" in setup.extraInit);
  let url = request.url;
  try {
    for (let hops = 0; ; hops++) {
      const response = await send(url, request, setup, signal, milestones);
      if (signal.aborted) {
        void letGo(response.body);
        return failed("aborted", {});
      }
      milestones.headersCame();
      const target = follows ? redirectTarget(url, response.status, response.headers.get("location"), hops) : null;
      if (target === null) return await answerOf(response, setup, milestones);
      void letGo(response.body);
      url = target;
    }
  } catch (error) {
    return failed(transportReason(error, "connection_failed"), { cause: error });
  }
}

/** Calls `fetch` synchronously, so that a context set by an observer is current and the runtime's own events are ours. */
function send(
  url: URL,
  request: PreparedRequest,
  setup: AttemptSetup<never>,
  signal: AbortSignal,
  milestones: Milestones,
): Promise<Response> {
  const { observer, info, limits, extraInit, fetch } = setup;
  const silenceMs = Math.max(limits.firstTokenMs + limits.graceMs, limits.idleMs);
  const dispatch = (added?: Headers) => {
    const init = { ...requestInit(request, signal, added), ...extraInit };
    Object.assign(init, withoutOwnTimers(silenceMs, (init as { dispatcher?: unknown }).dispatcher));
    const { result, visible } = watchConnection(
      () => fetch(url.href, init),
      () => milestones.connected(),
    );
    if (visible) milestones.connectionVisible();
    return result;
  };
  if (!observer?.dispatch) return dispatch();
  const added = new Headers();
  return observer.dispatch(info, added, () => dispatch(added));
}

async function answerOf(
  response: Response,
  { clock, bounds }: AttemptSetup<never>,
  milestones: Milestones,
): Promise<Connection> {
  const { status, headers } = response;
  if (response.type === "opaqueredirect") {
    void letGo(response.body);
    return failed("http_error", { message: "the host redirects to another address" });
  }
  if (status >= 200 && status < 300 && status !== 204 && status !== 205) return { ok: true, response };
  milestones.refused();
  const answered = await readAnswered(response, clock, bounds.maxErrorBytes);
  const { error, json } = errorIn(answered);
  const details: FailureDetails = {
    httpStatus: status,
    contentType: mediaTypeOf(headers),
    providerError: error,
    refused: headers.has("x-envoy-ratelimited"),
    retryAfterMs: retryAfterMs(retryAfterSources(headers, json), clock.wallNow()),
    shouldRetry: booleanOf(headers.get("x-should-retry")),
  };
  return failed("http_error", details, answered);
}

const retryAfterSources = (headers: Headers, json: any) => ({
  retryAfterMs: headers.get("retry-after-ms"),
  retryAfter: headers.get("retry-after"),
  date: headers.get("date"),
  body: json?.retry_after ?? json?.error?.retry_after,
});

const booleanOf = (value: string | null) => (value === "true" ? true : value === "false" ? false : null);

function failed(reason: FailureReason, details: FailureDetails, answered: Answered | null = null): Connection {
  return { ok: false, reason, details, answered };
}
