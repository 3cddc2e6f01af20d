import { describe, expect, test } from "vitest";
import { gateOpens, type Held } from "../../src/attempt/gate.ts";

const MAX_BYTES = 1_000;
const nothing: Held = { bytes: 10, output: false, content: false, providerTool: false, failed: false };
const reasoning: Held = { ...nothing, output: true };
const content: Held = { ...reasoning, content: true };

describe("the gate", () => {
  test.each([
    ["output", nothing, null],
    ["output", reasoning, "opened"],
    ["output", content, "opened"],
    ["content", reasoning, null],
    ["content", content, "opened"],
    ["headers", nothing, "opened"],
  ] as const)("that opens on %s, for %o: %s", (opensOn, held, expected) => {
    expect(gateOpens(held, { opensOn, maxBytes: MAX_BYTES })).toBe(expected);
  });

  test("opens as it is when too much is held", () => {
    expect(gateOpens({ ...nothing, bytes: MAX_BYTES + 1 }, { opensOn: "output", maxBytes: MAX_BYTES })).toBe(
      "overflow",
    );
  });

  test("opens for a tool that the provider runs: what it did is never repeated silently", () => {
    expect(gateOpens({ ...nothing, providerTool: true }, { opensOn: "content", maxBytes: MAX_BYTES })).toBe("opened");
  });

  test("stays shut for an answer that has failed before any output, however much of it there is", () => {
    const failed = { ...nothing, failed: true, bytes: 2 * MAX_BYTES };
    for (const opensOn of ["output", "content", "headers"] as const) {
      expect(gateOpens(failed, { opensOn, maxBytes: MAX_BYTES })).toBeNull();
    }
  });

  test("has opened if output came before the failure, even in the same read", () => {
    expect(gateOpens({ ...content, failed: true }, { opensOn: "output", maxBytes: MAX_BYTES })).toBe("opened");
  });
});
