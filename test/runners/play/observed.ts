/** What one call came to, in the same terms for every way of making it. */
import type { CallError, CallRecord, Failure, Turn } from "../../../src/index.ts";
import type { World } from "./world.ts";

/** What a way of calling hands back. */
export interface Taken {
  readonly turn: Turn | null;
  /** Thrown by the call itself: nothing was released. */
  readonly rejection?: unknown;
  /** Thrown while the answer was read. */
  readonly thrown?: unknown;
  readonly text: string;
  readonly reasoning: string;
  /** The provider's own bytes or chunks were read; the turn holds no text. */
  readonly asBytes: boolean;
  /** An error response of the drop-in, or its good one. */
  readonly response?: { readonly status: number; readonly contentType: string; readonly headers: Headers };
  /** What a second iteration threw; `null` if it did not. */
  readonly second?: unknown;
}

export interface Observed extends Taken {
  readonly outcome: "complete" | "incomplete" | "error";
  readonly callError: CallError | null;
  readonly record: CallRecord | null;
  /** Of the call, of its last attempt, or of the incomplete turn. */
  readonly failure: Failure | null;
  readonly abortReason: unknown;
  /** The consumer left before the end. */
  readonly left: boolean;
  readonly settleMs: number;
  readonly cpuMs: number;
  readonly pullsWhilePaused: number | null;
  readonly fallbackEligible: boolean | null;
}

type Measured = Pick<Observed, "abortReason" | "left" | "settleMs" | "cpuMs" | "pullsWhilePaused">;

export function observe(world: World, taken: Taken, measured: Measured): Observed {
  const { turn } = taken;
  const callError = turn ? null : callErrorIn(world, taken);
  const callId = turn?.callId ?? callError?.callId;
  const { records, fallbackEligible } = world.seen;
  const record = records.find((each) => each.callId === callId) ?? records.at(-1) ?? null;
  const failure = turn
    ? turn.status === "incomplete"
      ? turn.error
      : null
    : (callError?.failure ?? record?.attempts.at(-1)?.failure ?? null);
  return { ...taken, ...measured, outcome: turn?.status ?? "error", callError, record, failure, fallbackEligible };
}

/** Ours inside what was thrown; behind an error response through the headers an SDK would have kept. */
function callErrorIn({ loaded: { library } }: World, { rejection, response }: Taken): CallError | null {
  const kept = rejection ?? (response && Object.assign(new Error("error response"), { headers: response.headers }));
  const found = library.findTtftError?.(kept) ?? kept;
  return library.CallError && found instanceof library.CallError ? found : null;
}
