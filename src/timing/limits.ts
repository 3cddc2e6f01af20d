/** How long each wait may take: the options, their defaults, and what a limit that is a function is asked with. */

/** Milliseconds. `Infinity` is off; 0, negative and NaN are rejected. */
export interface AttemptLimits {
  /** Attempt start → a connection is ready. Default 10 000. Where the runtime does not show it, `firstTokenMs` covers it. */
  readonly connectMs?: number | undefined;
  /** Attempt start → first output. Default 120 000. A function is asked once per attempt, e.g. `fromTail(stats)`. */
  readonly firstTokenMs?: number | ((context: LimitContext) => number | null) | undefined;
  /** A read is pending, after first output → any bytes. Default 120 000. */
  readonly idleMs?: number | undefined;
  /** Last event that was not a keep-alive → the next such event; counts only time with a read pending. Default 300 000. */
  readonly stallMs?: number | undefined;
}

export interface Limits extends AttemptLimits {
  /** Call start → the gate opens; every attempt and back-off before output fits inside. Default 300 000. */
  readonly gateMs?: number | undefined;
  /** Call start → the turn ends. Default 3 600 000. */
  readonly totalMs?: number | undefined;
  /** With no endpoint left, `firstTokenMs` is extended by this much. Default 0. */
  readonly lastEndpointGraceMs?: number | undefined;
  /** Bytes are ready and you do not read for this long → the connection is released. Default 300 000. */
  readonly consumerMs?: number | undefined;
  /** An attempt after the first is started only if the deadline leaves it this long. Default 500. */
  readonly minAttemptMs?: number | undefined;
}

export interface LimitContext {
  readonly endpoint: string;
  readonly model: string | null;
  /** `CallOptions.promptTokens`, else an estimate from the body; `null` if neither is possible. */
  readonly promptTokens: number | null;
  readonly band: PromptBand;
}

export type PromptBand = "<2k" | "2k-16k" | "16k-64k" | ">=64k" | "unknown";

/** The band that a number of prompt tokens falls in: prompts of one size only are comparable. */
export function promptBandOf(promptTokens: number | null): PromptBand {
  if (promptTokens === null) return "unknown";
  if (promptTokens < 2_000) return "<2k";
  if (promptTokens < 16_000) return "2k-16k";
  return promptTokens < 64_000 ? "16k-64k" : ">=64k";
}

/** Every limit, decided: what is left when defaults, client, endpoint and call have been merged. */
export type ResolvedLimits = { readonly [Name in keyof Limits]-?: Exclude<Limits[Name], undefined> };

export const DEFAULT_LIMITS = {
  connectMs: 10_000,
  firstTokenMs: 120_000,
  idleMs: 120_000,
  stallMs: 300_000,
  gateMs: 300_000,
  totalMs: 3_600_000,
  lastEndpointGraceMs: 0,
  consumerMs: 300_000,
  minAttemptMs: 500,
} as const satisfies ResolvedLimits;
