/** Everything an attempt is started with, from the call and the endpoint it goes to. */
import { AttemptRun } from "../attempt/attempt.ts";
import { type Preparation, type PreparedRequest, prepareRequest } from "../attempt/request.ts";
import type { AttemptEvents } from "../attempt/setup.ts";
import { isErrorCode } from "../policy/provider-codes.ts";
import type { Ticket } from "../policy/ticket.ts";
import type { LimitContext } from "../timing/limits.ts";
import type { AttemptKind } from "../turn/record.ts";
import type { Call } from "./call.ts";
import { type ResolvedEndpoint, requestedModel } from "./endpoint.ts";
import { watchLimitsOf } from "./limits.ts";
import type { Warnings } from "./warnings.ts";

export interface Launch {
  readonly call: Call;
  readonly endpoint: ResolvedEndpoint;
  readonly index: number;
  readonly kind: AttemptKind;
  readonly backoffMs: number;
  readonly now: number;
  /** Another usable endpoint is left. */
  readonly anotherLeft: boolean;
  /** What was sent there before: a retry sends the same bytes. */
  readonly earlier: PreparedRequest | null;
  readonly ticket: Ticket;
  readonly events: AttemptEvents<AttemptRun>;
  readonly warnings: Warnings;
}

/** Not started yet: whoever keeps it starts it. */
export function createAttempt(launch: Launch): AttemptRun {
  const { call, endpoint, index, kind, now, events } = launch;
  const { info, startedAt, clock, observer, gate, bounds, collect, form, fetch } = call;
  const model = requestedModel(endpoint, call.source.body);
  return new AttemptRun({
    clock,
    observer,
    gate,
    bounds,
    collect,
    form,
    fetch,
    events,
    ticket: launch.ticket,
    info: {
      call: info,
      index,
      kind,
      endpoint: endpoint.name,
      model,
      url: endpoint.publicUrl,
      startMs: now - startedAt,
    },
    backoffMs: launch.backoffMs,
    protocol: endpoint.protocol,
    refusalCodes: endpoint.refusalCodes,
    requestIdHeader: endpoint.requestIdHeader,
    limits: watchLimitsOf(call.limitsOf(endpoint), {
      now,
      callStartedAt: startedAt,
      anotherLeft: launch.anotherLeft,
      context: limitContextOf(call, endpoint),
      warnings: launch.warnings,
    }),
    rules: { accept: call.accept, lenient: endpoint.lenient, isErrorCode },
    extraInit: endpoint.extraInit,
    prepare: (signal) => prepare(launch, signal),
  });
}

export function limitContextOf({ info, source, promptTokens }: Call, endpoint: ResolvedEndpoint): LimitContext {
  const model = requestedModel(endpoint, source.body);
  return { endpoint: endpoint.name, model, promptTokens, band: info.promptBand };
}

function prepare(
  { call, endpoint, index, kind, earlier }: Launch,
  signal: AbortSignal,
): Preparation | Promise<Preparation> {
  if (earlier) return { ok: true, request: earlier };
  const context = { callId: call.info.callId, endpoint: endpoint.name, index, kind, signal };
  return prepareRequest(endpoint, call.source, context);
}
