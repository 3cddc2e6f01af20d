/** The first façade: a client for one chain of endpoints, and four shapes of one answer. */
import { requestSource } from "../attempt/body.ts";
import type { BreakerState } from "../policy/states.ts";
import { protocols } from "../protocol/builtins.ts";
import type { Call } from "../route/call.ts";
import { type AnyBody, resolveEndpoint } from "../route/endpoint.ts";
import { CallRun } from "../route/run.ts";
import { IncompleteTurnError } from "../turn/errors.ts";
import type { Turn } from "../turn/turn.ts";
import { callError, reportEnd } from "./answer.ts";
import type { CallBody, CallOptions, ClientOptions } from "./options.ts";
import { warnOfKeysInPage } from "./page-warning.ts";
import { relayErrorResponse, relayResponse } from "./relay.ts";
import { createCall, settingsOf } from "./settings.ts";
import { createTurnStream, type TurnStream, turnOfRun } from "./stream.ts";
import { validateCall, validateClientOptions } from "./validate/door.ts";

/** Four shapes of one answer. All take the same two arguments; they differ only in what you hold afterwards. */
export interface Client<Body extends object = AnyBody> {
  /**
   * The whole answer as a string. Rejects with `CallError` (nothing came) or `IncompleteTurnError` (half came).
   * `""` for a pure tool call or a refusal without text: take `turn()` where those can happen.
   */
  text(body: CallBody<Body>, options?: CallOptions): Promise<string>;
  /** The whole answer as a record. Rejects with `CallError`; an answer that was cut **resolves** as `IncompleteTurn`. */
  turn(body: CallBody<Body>, options?: CallOptions): Promise<Turn>;
  /** The answer as it comes. Resolves at the first output (the gate), rejects with `CallError` if there is none. */
  stream(body: CallBody<Body>, options?: CallOptions): Promise<TurnStream>;
  /**
   * The answer as bytes, for a route that relays it to a browser: the protocol's own bytes unchanged, with headers of
   * its own (`content-type`, `cache-control: no-store`, `x-accel-buffering: no`; nothing of the provider's, no cookie,
   * no `content-encoding`). A failed gate is a real error response. A cut answer errors the body, so the socket breaks
   * and the browser's own `ttft` sees it. Only endpoints of the first one's protocol are used.
   */
  response(body: CallBody<Body>, options?: CallOptions): Promise<Response>;
  /** The breakers, by endpoint name. */
  health(): Readonly<Record<string, BreakerState>>;
}

/**
 * A client for one chain of endpoints. Create it once, at module level: breaker, budget and connections live in it.
 *
 * `Body` is the request type you write, in the protocol of the **first** endpoint. Any type will do; the SDK types fit:
 * `createClient<OpenAI.ChatCompletionCreateParams>(…)`.
 *
 * @throws TypeError for a wrong option: the message names the option, the value and what is allowed.
 */
export function createClient<Body extends object = AnyBody>(options: ClientOptions<Body>): Client<Body> {
  validateClientOptions(options);
  const settings = settingsOf(options);
  const { clock, health } = settings;
  const chain = options.endpoints.map((endpoint) => resolveEndpoint(endpoint, protocols));
  warnOfKeysInPage(chain);

  /** Runs synchronously until the request has left. */
  function begin(body: object, callOptions: CallOptions = {}, form: Call["form"]): CallRun {
    const startedAt = clock.now();
    validateCall(body, callOptions);
    const source = requestSource(body, { headers: callOptions.headers });
    const shape = { startedAt, chain, source, form };
    const run = new CallRun(createCall(settings, shape, callOptions), reportEnd);
    run.start();
    return run;
  }

  async function whole(body: object, callOptions: CallOptions | undefined): Promise<Turn> {
    const run = begin(body, callOptions, "nothing");
    if (!(await run.opened)) throw callError(run);
    await run.ended;
    return turnOfRun(run);
  }

  return {
    async text(body, callOptions) {
      const turn = await whole(body, callOptions);
      if (turn.status === "incomplete") throw new IncompleteTurnError(turn);
      return turn.text;
    },
    turn: whole,
    async stream(body, callOptions) {
      const run = begin(body, callOptions, "events");
      if (!(await run.opened)) throw callError(run);
      return createTurnStream(run);
    },
    async response(body, callOptions) {
      const run = begin(body, callOptions, "bytes");
      if (await run.opened) return relayResponse(run);
      if (run.failure?.reason === "aborted") throw callOptions?.signal?.reason;
      return relayErrorResponse(run);
    },
    health: () => health.states(clock.now()),
  };
}
