/** Options at the door: a wrong one is named, with its value and what is allowed. */
import { DEFAULT_LIMITS } from "../timing/limits.ts";

export function positive(name: string, value: unknown): number {
  if (typeof value === "number" && value > 0) return value;
  throw new TypeError(`\`${name}\` must be a number above 0, got ${shown(value)}`);
}

export function onlyKnown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`\`${unknown}\` is no option; allowed: ${known.join(", ")}`);
}

/** Limits as they are configured at the client, often the very same object; two of them are looked at. */
export function usableLimits(limits: { readonly firstTokenMs?: unknown; readonly idleMs?: unknown }): void {
  onlyKnown(limits, Object.keys(DEFAULT_LIMITS));
  const { firstTokenMs = 1, idleMs = 1 } = limits;
  if (typeof firstTokenMs !== "function") positive("limits.firstTokenMs", firstTokenMs);
  positive("limits.idleMs", idleMs);
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : value === null ? "null" : typeof value;
}
