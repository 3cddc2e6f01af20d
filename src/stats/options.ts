/** Options at the door: a wrong one is named, with its value and what is allowed. */

export function positive(name: string, value: unknown): number {
  if (typeof value === "number" && value > 0) return value;
  throw new TypeError(`\`${name}\` must be a number above 0, got ${shown(value)}`);
}

export function onlyKnown(options: object, known: readonly string[]): void {
  const unknown = Object.keys(options).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new TypeError(`\`${unknown}\` is no option; allowed: ${known.join(", ")}`);
}

function shown(value: unknown): string {
  return typeof value === "number" ? String(value) : value === null ? "null" : typeof value;
}
