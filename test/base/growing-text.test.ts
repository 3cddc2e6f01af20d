import { expect, test } from "vitest";
import { GrowingText } from "../../src/base/growing-text.ts";

test("is all of its pieces in order, however many and whenever it is read", () => {
  const text = new GrowingText();
  let expected = "";
  expect(`${text}`).toBe("");
  for (let piece = 0; piece < 1_000; piece++) {
    text.add(`${piece},`);
    expected += `${piece},`;
    if (piece % 97 === 0) expect(`${text}`).toBe(expected);
  }
  expect(text.toString()).toBe(expected);
});
