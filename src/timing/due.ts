/** Which limit is due first: a question to numbers. Pure; asked by `watch.ts`. */

export type LimitName = "connect" | "first_token" | "idle" | "stall" | "gate" | "total" | "consumer" | "detail";

/** Durations in ms: the call's two deadlines run from its start, the others from what each names. */
export interface WatchLimits {
  readonly connectMs: number;
  readonly firstTokenMs: number;
  /** Added to `firstTokenMs` once, where no other endpoint could be asked. */
  readonly graceMs: number;
  readonly idleMs: number;
  readonly stallMs: number;
  readonly consumerMs: number;
  readonly gateMs: number;
  readonly totalMs: number;
  readonly callStartedAt: number;
}

/** The moments that decide; `Infinity` = that limit does not run now. */
export interface Moments {
  readonly connectFrom: number;
  readonly firstTokenFrom: number;
  /** Added to the first-token limit. */
  readonly graceMs: number;
  /** The last bytes, or the moment at which reading went on after a pause of ours. */
  readonly heardAt: number;
  /** The last event that was not a keep-alive, pushed on by every pause of ours. */
  readonly progressAt: number;
  /** First token has stopped: idle and stall run. */
  readonly flowing: boolean;
  /** We are not reading, so the provider's silence proves nothing. */
  readonly paused: boolean;
  /** Since when bytes have been ready and unread. */
  readonly consumerFrom: number;
  /** A failure frame without any detail came: its detail is awaited since then. */
  readonly detailFrom: number;
  /** The gate has not opened: its deadline runs. */
  readonly held: boolean;
}

export interface Due {
  readonly limit: LimitName;
  readonly at: number;
  readonly ms: number;
}

/** A failure that came without words may get them in the next frame, for so long. */
const DETAIL_MS = 1_000;

export function earliestDue(moments: Moments, limits: WatchLimits): Due {
  const { totalMs, callStartedAt } = limits;
  let next: Due = { limit: "total", at: callStartedAt + totalMs, ms: totalMs };
  const consider = (limit: LimitName, from: number, ms: number) => {
    if (from + ms < next.at) next = { limit, at: from + ms, ms };
  };
  if (moments.held) consider("gate", callStartedAt, limits.gateMs);
  consider("consumer", moments.consumerFrom, limits.consumerMs);
  if (moments.flowing && !moments.paused) {
    consider("stall", moments.progressAt, limits.stallMs);
    consider("idle", moments.heardAt, limits.idleMs);
  }
  consider("first_token", moments.firstTokenFrom, limits.firstTokenMs + moments.graceMs);
  consider("connect", moments.connectFrom, limits.connectMs);
  consider("detail", moments.detailFrom, DETAIL_MS);
  return next;
}
