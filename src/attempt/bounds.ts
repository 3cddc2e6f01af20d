/** What a server may make us hold, and what opens the gate. */

export interface GateOptions {
  /** Default `"output"`: reasoning opens it. `"content"` also holds reasoning back. `"headers"` is no gate. */
  readonly opensOn?: "output" | "content" | "headers" | undefined;
  /** Held bytes past which it opens as it is (`gate: "overflow"`). Default 4 MiB. */
  readonly maxBytes?: number | undefined;
}

/** What a server may make us hold. Past a bound: a typed failure, never an out-of-memory. */
export interface Bounds {
  /** One event or line. Default 16 MiB. */
  readonly maxEventBytes?: number | undefined;
  /** Text, reasoning and arguments of one turn. Default 64 MiB. */
  readonly maxTurnBytes?: number | undefined;
  /** Of an error body, read for at most 250 ms. Default 64 KiB. */
  readonly maxErrorBytes?: number | undefined;
}

export type ResolvedGate = { readonly [Name in keyof GateOptions]-?: Exclude<GateOptions[Name], undefined> };
export type ResolvedBounds = { readonly [Name in keyof Bounds]-?: Exclude<Bounds[Name], undefined> };

const MiB = 1024 * 1024;

export const DEFAULT_GATE = { opensOn: "output", maxBytes: 4 * MiB } as const satisfies ResolvedGate;

export const DEFAULT_BOUNDS = {
  maxEventBytes: 16 * MiB,
  maxTurnBytes: 64 * MiB,
  maxErrorBytes: 64 * 1024,
} as const satisfies ResolvedBounds;
