/** The moments of one attempt, stamped by the read loop, and the numbers derived from them. Pure: the clock is read elsewhere. */
import type { Timing } from "./timing.ts";

/** After a pause of ours, a read that had to wait this long proves that no bytes were left lying in a buffer. */
const CAUGHT_UP_MS = 1;

export class Timeline {
  readonly startedAt: number;
  connectedAt: number | null = null;
  headersAt: number | null = null;
  firstByteAt: number | null = null;
  firstEventAt: number | null = null;
  firstOutputAt: number | null = null;
  firstContentAt: number | null = null;
  endedAt: number | null = null;
  /** Reads, events and what they carried. */
  bytes = 0;
  frames = 0;
  events = 0;
  keepAlives = 0;
  contentChunks = 0;
  firstOutputEvent: number | null = null;
  firstContentEvent: number | null = null;
  suspendedMs = 0;
  firstTokenLimitExceeded = false;
  maxGapMs: number | null = null;
  #lastOutputAt: number | null = null;
  /** Our own pause lies between the last output and the next: that gap is not the provider's. */
  #censored = false;

  constructor(startedAt: number) {
    this.startedAt = startedAt;
  }

  /** An event that was no keep-alive; `index` counts those, too. */
  event(index: number, at: number, output: boolean, content: boolean): void {
    this.events++;
    this.firstEventAt ??= at;
    if (output) {
      this.firstOutputEvent ??= index;
      this.firstOutputAt ??= at;
    }
    if (content) {
      this.contentChunks++;
      this.firstContentEvent ??= index;
      this.firstContentAt ??= at;
    }
  }

  /** A read that carried output, `waitedMs` after it went pending. Returns the gap before it, `null` if it does not count. */
  output(at: number, waitedMs: number): number | null {
    const last = this.#lastOutputAt;
    this.#lastOutputAt = at;
    if (last === null) return null;
    if (this.#censored) {
      this.#censored = waitedMs < CAUGHT_UP_MS;
      return null;
    }
    const gap = at - last;
    if (this.maxGapMs === null || gap > this.maxGapMs) this.maxGapMs = gap;
    return gap;
  }

  /** We stopped reading because the consumer did not keep up. */
  paused(): void {
    this.#censored = true;
  }

  /** Everything so far, measured from `origin`: the attempt's own start, or the call's. */
  timing(origin: number, streamed = true): Timing {
    const since = (at: number | null) => (at === null ? null : at - origin);
    return {
      connectMs: since(this.connectedAt),
      headersMs: since(this.headersAt),
      firstByteMs: since(this.firstByteAt),
      firstEventMs: since(this.firstEventAt),
      firstOutputMs: since(this.firstOutputAt),
      ttftMs: streamed ? since(this.firstContentAt) : null,
      totalMs: since(this.endedAt),
      maxGapMs: this.maxGapMs,
      contentChunks: this.contentChunks,
      events: this.events,
      keepAlives: this.keepAlives,
      bytes: this.bytes,
      suspendedMs: this.suspendedMs,
      firstTokenLimitExceeded: this.firstTokenLimitExceeded,
      firstOutputEvent: this.firstOutputEvent,
      firstContentEvent: streamed ? this.firstContentEvent : null,
    };
  }
}
