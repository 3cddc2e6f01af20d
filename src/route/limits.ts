/** The limits of one attempt: what was set, what a function says of it, and what the call's deadlines leave. */
import type { WatchLimits } from "../timing/due.ts";
import { DEFAULT_LIMITS, type LimitContext, type ResolvedLimits } from "../timing/limits.ts";
import type { Warnings } from "./warnings.ts";

/** So short a half is no attempt: a caller's tight deadline still gives the first endpoint this long. */
const SHORTEST_HALF_MS = 1_000;

export interface AttemptPosition {
  readonly now: number;
  readonly callStartedAt: number;
  /** Another usable endpoint is left. */
  readonly anotherLeft: boolean;
  readonly context: LimitContext;
  /** Told where a limit function gives nothing usable. */
  readonly warnings: Warnings;
}

export function watchLimitsOf(limits: ResolvedLimits, position: AttemptPosition): WatchLimits {
  const { now, callStartedAt, anotherLeft, context, warnings } = position;
  const { connectMs, idleMs, stallMs, consumerMs, gateMs, totalMs, lastEndpointGraceMs } = limits;
  const asked = limitFor(limits.firstTokenMs, context, warnings) ?? DEFAULT_LIMITS.firstTokenMs;
  const half = remainingMsOf(limits, callStartedAt, now) / 2;
  const firstTokenMs = anotherLeft ? Math.min(asked, Math.max(SHORTEST_HALF_MS, half)) : asked;
  const graceMs = anotherLeft ? 0 : lastEndpointGraceMs;
  return { connectMs, firstTokenMs, graceMs, idleMs, stallMs, consumerMs, gateMs, totalMs, callStartedAt };
}

/** Until the gate has to be open: the smaller of the two deadlines. */
export function remainingMsOf({ gateMs, totalMs }: ResolvedLimits, callStartedAt: number, now: number): number {
  return callStartedAt + Math.min(gateMs, totalMs) - now;
}

/** A number, or what a function of the caller's says; `null` where it says nothing that is a limit. */
export function limitFor(
  limit: number | ((context: LimitContext) => number | null),
  context: LimitContext,
  warnings: Warnings,
): number | null {
  if (typeof limit === "number") return limit;
  try {
    const ms: unknown = limit(context);
    if (ms === null || (typeof ms === "number" && ms > 0)) return ms;
    if (ms instanceof Promise) ms.catch(() => {});
  } catch {
    // Reported like a bad number: an error of the caller's function may hold anything.
  }
  warnings.limitFailed();
  return null;
}
