/** The shape of a `stream-case/1` file, as `test/cases/schema.json` allows it and `test/cases/README.md` explains it. */
import type { BreakerState, Capabilities, FailureReason, ProtocolName, SkipReason } from "../../src/index.ts";

export interface StreamCase extends Answer {
  readonly format: "stream-case/1";
  readonly id: string;
  readonly url: string;
  readonly product: string;
  readonly kind: string;
  readonly summary: string;
  readonly protocol: ProtocolName | "any";
  readonly targets?: Readonly<Record<string, readonly Answer[]>>;
  readonly client: CaseClient;
  readonly expect: Expectation;
}

/** One response of the stub. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly beforeHeadersMs?: number;
  readonly flushHeaders?: true;
  readonly steps: readonly Step[];
}

/** One thing the stub does; exactly one of the leading keys is set. */
export interface Step {
  readonly send?: string;
  readonly times?: number;
  readonly everyMs?: number;
  readonly join?: true;
  readonly sendHex?: string;
  readonly delayMs?: number;
  readonly close?: true;
  readonly reset?: true;
  readonly hold?: true;
  readonly error?: true;
}

export interface CaseClient {
  readonly endpoints?: readonly string[];
  readonly via?: "fetch" | "openai-sdk";
  readonly input?: "Request";
  readonly request?: { readonly tools?: true; readonly headers?: Readonly<Record<string, string>> };
  readonly stub?: "memory";
  readonly serverIsolated?: true;
  readonly bodyError?: { readonly name: string; readonly message: string; readonly cause?: { readonly code: string } };
  readonly limits?: Readonly<Record<string, number | "Infinity">>;
  readonly retry?: { readonly maxRetries: number };
  readonly backoffMs?: number;
  readonly breaker?: { readonly threshold: number; readonly cooldownMs: number };
  readonly retryBudget?: { readonly ratio: number; readonly minPerWindow: number };
  readonly gate?: { readonly opensOn: "output" | "content" | "headers" };
  readonly hedge?: false | { readonly afterMs: number };
  readonly capabilities?: Readonly<Record<string, Capabilities>>;
  readonly otel?: true;
  readonly observe?: "pulls" | "cpu";
  readonly holdUnawaited?: readonly "turn"[];
  readonly env?: Environment;
  readonly action: Action;
  readonly at?: Moment;
  readonly abortReason?: { readonly name: "Error"; readonly message: string };
  readonly perChunkMs?: number;
  readonly ms?: number;
  readonly n?: number;
  readonly sequential?: true;
  readonly betweenMs?: number;
  readonly sharedSignal?: true;
  readonly script?: readonly ScriptStep[];
  readonly checks?: readonly string[];
}

export type Action =
  | "consume"
  | "abort"
  | "break"
  | "cancelBody"
  | "consumeTwice"
  | "slowConsumer"
  | "pauseAfterFirst"
  | "blockEventLoop"
  | "repeat"
  | "script"
  | "packaging";

export interface Moment {
  readonly event?: "firstContent" | "terminal" | "backoff";
  readonly ms?: number;
}

export type ScriptStep = { readonly call: number; readonly abandon?: true } | { readonly waitMs: number };

/** The world a case runs in. */
export interface Environment {
  readonly timers?: "late10x";
  readonly clock?: "frozenBetweenIo";
  readonly wallClockJumpMs?: number;
  readonly at?: "headers";
  readonly visibility?: readonly ("hidden" | "visible")[];
  readonly fetchThis?: "strict";
  readonly noBody?: true;
  readonly noStreamAsyncIterator?: true;
  readonly noAbortSignalAny?: true;
  readonly noAbortSignalTimeout?: true;
}

export interface Range {
  readonly min?: number;
  readonly max?: number;
}

export interface Expectation {
  readonly outcome: "complete" | "incomplete" | "error" | "n/a";
  readonly reason?: FailureReason;
  readonly text?: string;
  readonly textLength?: number;
  readonly reasoning?: string;
  readonly finishReason?: string | null;
  readonly toolCalls?: readonly ExpectedTool[];
  readonly usage?: { readonly input: number; readonly output: number };
  readonly streamed?: false;
  readonly flags?: readonly Flag[];
  readonly ttftFromEvent?: number | null;
  readonly firstOutputFromEvent?: number | null;
  readonly ttftMs?: Range | null;
  readonly headersMs?: Range;
  readonly settleMs?: Range;
  readonly timingsFinite?: true;
  readonly served?: string;
  readonly requests?: Readonly<Record<string, number | Range>>;
  readonly attempts?: readonly ExpectedAttempt[];
  readonly skipped?: readonly { readonly endpoint: string; readonly why: SkipReason }[];
  readonly breaker?: Readonly<Record<string, BreakerState>>;
  readonly error?: ExpectedError;
  readonly secondConsumer?: "throws";
  readonly dropInFetch?: { readonly status: number; readonly contentType: string };
  readonly lenient?: { readonly outcome: "complete" | "incomplete" };
  readonly reasonIfCleanDone?: FailureReason;
  readonly server?: ExpectedServer;
  readonly process?: Readonly<Partial<Record<ProcessCount, 0>>>;
  readonly cpuMs?: Range;
  readonly maxPullsWhilePaused?: number;
  readonly otel?: ExpectedTelemetry;
  readonly check?: "behaviour";
}

export type Flag = "unterminatedFinalEvent" | "hasInvalidToolCalls" | "firstTokenLimitExceeded";
export type ProcessCount = "unhandledRejections" | "uncaught" | "pendingTimers" | "abortListeners" | "warnings";

export interface ExpectedTool {
  readonly id: string;
  readonly name: string;
  readonly args?: object;
  readonly rawArgs?: string;
  readonly executable: boolean;
}

export interface ExpectedAttempt {
  readonly endpoint: string;
  readonly outcome?: "complete" | "hedge_lost";
  readonly kind?: "initial" | "retry" | "fallback" | "hedge";
  readonly reason?: FailureReason;
  readonly status?: number;
  readonly providerType?: string;
  readonly providerCode?: string;
}

export interface ExpectedError {
  readonly status?: number;
  readonly providerType?: string;
  readonly providerCode?: string;
  readonly messageIncludes?: string;
  readonly fallbackEligible?: boolean;
  readonly retryAfterMs?: number;
  readonly budgetExhausted?: true;
  readonly contentType?: string;
  readonly hasCause?: true;
  readonly causeCode?: string;
  readonly causeIsAbortReason?: true;
}

export interface ExpectedServer {
  readonly clientClosedWithinMs?: number;
  readonly distinctConnections?: number;
  readonly identicalBodies?: true;
  readonly addedRequestHeaders?: readonly string[];
}

export interface ExpectedTelemetry {
  readonly spansEnded?: { readonly operation: number; readonly attempt: number };
  readonly spansOpen?: number;
  readonly errorType?: string | null;
  readonly metrics?: Readonly<Record<string, number>>;
  readonly units?: Readonly<Record<string, string>>;
  readonly durationS?: Range;
  readonly bucketAdvice?: readonly string[];
}
