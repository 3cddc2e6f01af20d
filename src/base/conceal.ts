/** Objects that hold keys, headers, queries or bodies, and show none of them: to enumeration, to JSON, to an inspector. */

const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * Gives `target` the `hidden` fields as properties that are readable by name and seen by nothing that lists, prints or
 * serialises; printing shows `shown` instead.
 */
export function conceal<Shown extends object, Hidden extends object>(shown: Shown, hidden: Hidden): Shown & Hidden {
  const print = () => ({ ...shown });
  const target = { ...shown };
  for (const [name, value] of [...Object.entries(hidden), ["toJSON", print], [INSPECT, print]] as const) {
    Object.defineProperty(target, name, { value, enumerable: false });
  }
  return target as Shown & Hidden;
}
