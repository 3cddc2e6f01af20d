import { describe, expect, it } from "vitest";
import { brandOf, hasBrand, isInstanceOf } from "../../src/base/brand.ts";

/** What one copy of the package would hold. */
function copy() {
  const brand = brandOf("Example");
  class Example extends Error {
    static override [Symbol.hasInstance](value: unknown): boolean {
      return isInstanceOf(this, Example, brand, value);
    }
    get [brand]() {
      return true;
    }
  }
  return { Example, brand };
}

describe("a branded class", () => {
  const here = copy();
  const there = copy();

  it("recognises instances of another copy, and only of that class", () => {
    expect(new there.Example()).toBeInstanceOf(here.Example);
    expect(hasBrand(new there.Example(), here.brand)).toBe(true);
    for (const other of [new Error("x"), {}, null, undefined, "x", () => {}])
      expect(other instanceof here.Example).toBe(false);
  });

  it("leaves subclasses to the ordinary rule", () => {
    class Special extends here.Example {}
    expect(new Special()).toBeInstanceOf(here.Example);
    expect(new Special()).toBeInstanceOf(Special);
    expect(new here.Example() instanceof Special).toBe(false);
  });
});
