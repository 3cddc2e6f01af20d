import { describe, expect, it } from "vitest";
import { StreamedArguments } from "../../src/protocol/streamed-arguments.ts";

const text = (jsonPath: string, stringValue: string, willContinue = false) => ({ jsonPath, stringValue, willContinue });
const number = (jsonPath: string, numberValue: number) => ({ jsonPath, numberValue });

/** All values in one piece, then the end. */
const written = (...values: object[]): string | null => new StreamedArguments().write(values, true);

describe("streamed arguments", () => {
  it("are {} if there are none", () => {
    expect(written()).toBe("{}");
  });

  it("become the object that their paths describe", () => {
    const json = written(
      text("$.name", "Lasagna"),
      text("$.steps[0].what", "boil"),
      number("$.steps[0].minutes", 12),
      { jsonPath: "$.steps[1].what", stringValue: "bake" },
      { jsonPath: "$.vegetarian", boolValue: false },
      { jsonPath: "$.origin", nullValue: "NULL_VALUE" },
      number("$.matrix[0][0]", 1),
      number("$.matrix[0][1]", -0.5),
      number("$.matrix[1][0]", 1e21),
    );
    expect(JSON.parse(json as string)).toEqual({
      name: "Lasagna",
      steps: [{ what: "boil", minutes: 12 }, { what: "bake" }],
      vegetarian: false,
      origin: null,
      matrix: [[1, -0.5], [1e21]],
    });
  });

  it("do not parse before the last piece has come", () => {
    const call = new StreamedArguments();
    const pieces = [
      call.write([], false),
      call.write([text("$.city", "San ", true)], false),
      call.write([text("$.city", "Francisco", true)], false),
      call.write([text("$.city", "")], false),
      call.write([number("$.days", 3)], false),
    ];
    for (let length = 0; length <= pieces.length; length++) {
      expect(() => JSON.parse(pieces.slice(0, length).join(""))).toThrow();
    }
    expect(JSON.parse(pieces.join("") + call.write([], true))).toEqual({ city: "San Francisco", days: 3 });
  });

  it("escape what JSON escapes, surrogates cut in two included", () => {
    const json = written(text("$.a", 'say "hi"\n\\', true), text("$.a", "\ud83d", true), text("$.a", "\ude00"));
    expect(JSON.parse(json as string)).toEqual({ a: 'say "hi"\n\\😀' });
  });

  it("read quoted keys of both kinds", () => {
    const json = written(text("$['a b']", "1"), text('$["c\\"d"]', "2"), text("$['it\\'s \"x\"'].y", "3"));
    expect(JSON.parse(json as string)).toEqual({ "a b": "1", 'c"d': "2", 'it\'s "x"': { y: "3" } });
  });

  it("keep keys that are special to objects as plain keys", () => {
    const json = written(text("$.__proto__.polluted", "yes"), text("$.constructor", "x")) as string;
    expect(json).toBe('{"__proto__":{"polluted":"yes"},"constructor":"x"}');
    expect(({} as any).polluted).toBeUndefined();
  });

  it.each([
    ["an index that leaves a gap", [number("$.a[1]", 1)]],
    ["an enormous index", [number("$.a[4294967294]", 1)]],
    ["a value that comes twice", [number("$.a", 1), number("$.a", 2)]],
    ["an object that was left and is entered again", [number("$.a.x", 1), number("$.b", 2), number("$.a.y", 3)]],
    ["a list element that was left", [number("$.a[0].x", 1), number("$.a[1].x", 2), number("$.a[0].y", 3)]],
    ["a list entered as an object", [number("$.a[0]", 1), number("$.a.b", 2)]],
    ["arguments that are a list", [number("$[0]", 1)]],
    ["a value inside a value", [number("$.a", 1), number("$.a.b", 2)]],
    ["another path while a string goes on", [text("$.a", "x", true), number("$.b", 1)]],
    ["a string that never ends", [text("$.a", "x", true)]],
    ["no value", [{ jsonPath: "$.a" }]],
    ["a path to everything", [number("$", 1)]],
    ["a path that selects many", [number("$.a[*]", 1)]],
    ["a path without a root", [number("a", 1)]],
    ["a broken quoted key", [number("$['\\x']", 1)]],
    ["no path", [{ numberValue: 1 }]],
    ["no argument", [null]],
  ])("are refused rather than guessed at: %s", (_, values) => {
    expect(new StreamedArguments().write(values as any[], true)).toBeNull();
  });
});
