/** What is remembered of an endpoint while its breaker is closed, and when that is enough to open it. */
import type { BreakerOptions, Settings } from "./options.ts";
import { createSlidingCount } from "./sliding-count.ts";

export type BreakerSettings = Settings<BreakerOptions>;

export interface FailureRecord {
  started(now: number): void;
  succeeded(): void;
  /** Opens? `startedAt` is `null` for an attempt that had been counted as a success: it counts once more. */
  failed(weight: number, startedAt: number | null, at: number): boolean;
  /** Opens? `heardAt`: the last byte from the endpoint, on whatever attempt. */
  silent(startedAt: number, at: number, heardAt: number): boolean;
}

/** Failures without a success between them. */
interface Streak {
  weight: number;
  count: number;
  firstAt: number;
  lastAt: number;
  /** Attempts that had been started when it began. */
  readonly startedBefore: number;
}

const SLOTS = 60;

/**
 * Failures report in milliseconds and successes at their first token, so the first news after a start is all bad.
 * Hence the span, and at least half of what was started meanwhile. One lost connection kills many streams at once.
 */
const isLong = (streak: Streak, started: number, settings: BreakerSettings) =>
  streak.weight >= settings.consecutiveFailures &&
  streak.lastAt - streak.firstAt >= settings.minSpanMs &&
  streak.count >= (started - streak.startedBefore) / 2;

export function createFailureRecord(settings: BreakerSettings): FailureRecord {
  const attempts = createSlidingCount(settings.windowMs / SLOTS, SLOTS);
  const failures = createSlidingCount(settings.windowMs / SLOTS, SLOTS);
  let started = 0;
  let streak: Streak | null = null;
  /** The first failure since the window was last free of them. */
  let failingSince = 0;
  let silences = 0;
  let silentSince = 0;

  function inTheWindow(at: number): boolean {
    const calls = attempts.total(at);
    return (
      calls >= settings.minCalls &&
      failures.total(at) >= settings.failureRatio * calls &&
      at - failingSince >= settings.minSpanMs
    );
  }

  return {
    started(now) {
      started++;
      attempts.add(now, 1);
    },
    succeeded() {
      streak = null;
      silences = 0;
    },
    failed(weight, startedAt, at) {
      silences = 0;
      streak ??= { weight: 0, count: 0, firstAt: at, lastAt: at, startedBefore: started };
      streak.weight += weight;
      streak.count++;
      streak.firstAt = Math.min(streak.firstAt, at);
      streak.lastAt = Math.max(streak.lastAt, at);
      if (failures.total(at) === 0) failingSince = at;
      if (startedAt === null) attempts.add(at, 1);
      failures.add(startedAt ?? at, weight);
      return isLong(streak, started, settings) || inTheWindow(at);
    },
    silent(startedAt, at, heardAt) {
      if (silences++ === 0) silentSince = startedAt;
      // Silence can only be told from the moment at which somebody began to listen.
      return silences >= settings.silentAttempts && at - Math.max(heardAt, silentSince) >= settings.silentForMs;
    },
  };
}
