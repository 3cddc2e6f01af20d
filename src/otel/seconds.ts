/** The one place where milliseconds become seconds. */

/** `undefined` for what is no time: an SDK drops negative values, and keeps an infinite one for ever. */
export function inSeconds(ms: number | null): number | undefined {
  return ms !== null && ms >= 0 && ms < Number.POSITIVE_INFINITY ? ms / 1000 : undefined;
}
