/**
 * `instanceof` that holds across copies of this package and across its ESM and CJS builds: a class is recognised by a
 * mark from the global symbol registry and not by its identity.
 */

/** The mark of a class: the same symbol in every copy. */
export function brandOf(className: string): symbol {
  return Symbol.for(`ttft.${className}`);
}

/** Is it, or was it made by another copy as, an instance of the class with this mark? */
export function hasBrand(value: unknown, brand: symbol): boolean {
  return typeof value === "object" && value !== null && (value as Record<symbol, unknown>)[brand] === true;
}

/**
 * The body of `static [Symbol.hasInstance]`. A subclass inherits that method; for it the ordinary rule holds, or every
 * instance of the base would be one of the subclass.
 */
export function isInstanceOf(asked: unknown, branded: object, brand: symbol, value: unknown): boolean {
  return asked === branded ? hasBrand(value, brand) : Function.prototype[Symbol.hasInstance].call(asked, value);
}
