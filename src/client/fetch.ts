/** The second façade: a `fetch` for an SDK. Bytes pass unchanged; the gate, the limits and the honest ending are ours. */
import { protocols } from "../protocol/builtins.ts";
import { type ResolvedEndpoint, resolveEndpoint, resolvePrimary } from "../route/endpoint.ts";
import { CallRun } from "../route/run.ts";
import { reportEnd } from "./client.ts";
import { type Incoming, readIncoming } from "./incoming.ts";
import type { FetchOptions } from "./options.ts";
import { answerResponse, failedResponse, passedHeaders } from "./relay.ts";
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
  const { primary = {} } = options;
  const fallbacks = (options.fallbacks ?? []).map((endpoint) => resolveEndpoint(endpoint, protocols));
  const origins = [primary.origin ?? []].flat().map((origin) => new URL(origin).origin);

  /** An address that somebody else chose never spends a fallback's key, and its prompts stay where they were sent. */
  function chainOf({ url, protocol, headers, extraInit, once }: Incoming): ResolvedEndpoint[] {
    const isPrimary = origins.length === 0 || origins.includes(url.origin);
    const first = resolvePrimary(isPrimary ? primary : {}, url, protocol, headers, extraInit);
    return isPrimary && !once ? [first, ...fallbacks] : [first];
  }

  async function call(incoming: Incoming, startedAt: number): Promise<Response> {
    const { source, signal, once } = incoming;
    const shape = {
      startedAt,
      chain: chainOf(incoming),
      source,
      form: "bytes",
      oneProtocol: true,
      unsized: once,
    } as const;
    const run = new CallRun(
      createCall(settings, shape, { signal, ...(once && { retry: { maxAttempts: 1 } }) }),
      reportEnd,
    );
    run.start();
    if (await run.opened) return answerResponse(run, passedHeaders(run));
    if (run.failure?.reason === "aborted" && signal?.aborted) throw signal.reason;
    return failedResponse(run, true);
  }

  return (input, init) => {
    const startedAt = settings.clock.now();
    const proceed = (incoming: Incoming | null) =>
      incoming === null ? (options.fetch ?? globalThis.fetch)(input, init) : call(incoming, startedAt);
    const incoming = readIncoming(input, init ?? {}, primary.protocol);
    return incoming instanceof Promise ? incoming.then(proceed) : proceed(incoming);
  };
}
