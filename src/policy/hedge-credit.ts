/** What an early hedge costs: earned by calls and never by time, or a slow client would hedge without a limit. */

export interface HedgeCredit {
  callStarted(): void;
  /** `afterMs`: how long the first endpoint has been silent. */
  mayHedge(afterMs: number): boolean;
  spend(afterMs: number): void;
}

/** After this much silence a hedge is a fallback that lets the first endpoint go on. */
export const HEDGE_IS_FREE_MS = 10_000;

/** In tenths, which add up exactly: a call earns 1, a hedge costs 10, and no more than ten hedges are saved up. */
const HEDGE = 10;
const MOST = 100;

export function createHedgeCredit(): HedgeCredit {
  let tenths = HEDGE;
  return {
    callStarted: () => {
      tenths = Math.min(MOST, tenths + 1);
    },
    mayHedge: (afterMs) => afterMs >= HEDGE_IS_FREE_MS || tenths >= HEDGE,
    spend: (afterMs) => {
      if (afterMs < HEDGE_IS_FREE_MS) tenths = Math.max(0, tenths - HEDGE);
    },
  };
}
