/** The second façade: a `fetch` for an SDK. Bytes pass unchanged; the gate, the limits and the honest ending are ours. */
import { protocols } from "../protocol/builtins.ts";
import { type ResolvedEndpoint, resolveEndpoint, resolvePrimary } from "../route/endpoint.ts";
import { CallRun } from "../route/run.ts";
import { reportEnd } from "./answer.ts";
import { type Incoming, readIncoming } from "./incoming.ts";
import type { FetchOptions } from "./options.ts";
import { passedErrorResponse, passedResponse } from "./relay.ts";
import { createCall, settingsOf } from "./settings.ts";
import { validateFetchOptions } from "./validate/door.ts";

/**
 * A `fetch` for an SDK: `new OpenAI({ fetch: createFetch({ primary: { origin: "https://api.openai.com" }, fallbacks: [backup] }) })`.
 * The URL it is called with is the first endpoint. Calls that are not streaming chat calls pass through.
 *
 * A failed gate **resolves** to an error `Response`; an answer that is cut errors the body with `IncompleteTurnError`.
 * The caller's own abort stays what it is in every `fetch`: it rejects (or errors the body) with `signal.reason`, so a
 * stop button behaves as before.
 *
 * @throws TypeError for a wrong option: the message names the option, the value and what is allowed.
 */
export function createFetch(options: FetchOptions = {}): typeof globalThis.fetch {
  validateFetchOptions(options);
  const settings = settingsOf(options);
  const primary = { ...options.primary };
  const fallbacks = (options.fallbacks ?? []).map((endpoint) => resolveEndpoint(endpoint, protocols));
  const origins = [primary.origin ?? []].flat().map((origin) => new URL(origin).origin);

  const isPrimary = (url: URL) => origins.length === 0 || origins.includes(url.origin);
  const named = (url: URL) => (isPrimary(url) ? primary.protocol : undefined);

  /** An address that somebody else chose never spends a fallback's key, and its prompts stay where they were sent. */
  function chainOf({ url, protocol, headers, extraInit, once }: Incoming): ResolvedEndpoint[] {
    const traits = isPrimary(url) ? primary : {};
    const first = resolvePrimary(traits, url, protocol, headers, extraInit);
    return traits === primary && !once ? [first, ...fallbacks] : [first];
  }

  async function call(incoming: Incoming, startedAt: number): Promise<Response> {
    const { url, source, signal, once } = incoming;
    // Runtimes disagree about such an address, and their errors repeat it.
    if (url.username || url.password)
      throw new TypeError("the address holds a user name or password: keys go into headers");
    const shape = {
      startedAt,
      chain: chainOf(incoming),
      source,
      form: "bytes",
    } as const;
    const run = new CallRun(
      createCall(settings, shape, { signal, ...(once && { retry: { maxAttempts: 1 } }) }),
      reportEnd,
    );
    run.start();
    if (await run.opened) return passedResponse(run);
    if (run.failure?.reason === "aborted" && signal?.aborted) throw signal.reason;
    return passedErrorResponse(run);
  }

  // What is thrown becomes a rejection, as in every `fetch`; the request leaves within the call all the same.
  return async (input, init) => {
    const startedAt = settings.clock.now();
    const read = readIncoming(input, init ?? {}, named);
    const incoming = read instanceof Promise ? await read : read;
    return incoming === null ? settings.fetch(input, init) : call(incoming, startedAt);
  };
}
