/** What a scripted server saw and did, request by request. */
import type { Clock } from "../base/clock.ts";

export interface StubRequest {
  /** As it was called, query included. */
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed JSON, else text; `null` if there was none. */
  readonly body: any;
  readonly startedMs: number;
  /** When the client gave up: it aborted, cancelled or closed before the script was over. `null` if it did not. */
  readonly closedByClientMs: number | null;
  /** Every write, on the monotonic clock. */
  readonly sent: readonly { readonly atMs: number; readonly bytes: number }[];
}

/** One entry of the log, as its server keeps it. */
export class RequestEntry implements StubRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  body: any = null;
  readonly startedMs: number;
  closedByClientMs: number | null = null;
  readonly sent: { readonly atMs: number; readonly bytes: number }[] = [];

  constructor(url: string, headers: Readonly<Record<string, string>>, startedMs: number) {
    this.url = url;
    this.headers = headers;
    this.startedMs = startedMs;
  }

  read(body: string): void {
    try {
      this.body = body === "" ? null : JSON.parse(body);
    } catch {
      this.body = body;
    }
  }

  wrote(clock: Clock, bytes: number): void {
    this.sent.push({ atMs: clock.now(), bytes });
  }

  /** The first time counts. */
  closed(clock: Clock): void {
    this.closedByClientMs ??= clock.now();
  }
}
