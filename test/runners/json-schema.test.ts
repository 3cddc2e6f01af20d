import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { validate } from "./json-schema.ts";

const cases = new URL("../cases/", import.meta.url);
const read = (name: string) => JSON.parse(readFileSync(new URL(name, cases), "utf8"));
const schema = read("schema.json");
const valid = read("B001.json");

describe("the schema of a case", () => {
  it("accepts a case", () => {
    expect(validate(schema, valid)).toEqual([]);
  });

  it.each([
    ["a key nobody knows", { ...valid, mood: "good" }, 'unknown key "mood"'],
    ["an expectation nobody knows", { ...valid, expect: { ...valid.expect, mood: 1 } }, 'unknown key "mood"'],
    ["a missing key", { ...valid, url: undefined, steps: valid.steps }, "/url"],
    ["an abort that does not say when", { ...valid, client: { action: "abort" } }, '"at" is missing'],
    ["a step of two kinds", { ...valid, steps: [{ close: true, hold: true }] }, 'unknown key "hold"'],
    ["a gap between writes that are one", { ...valid, steps: [{ send: "x", everyMs: 3 }] }, '"everyMs" needs "times"'],
    ["a delay out of bounds", { ...valid, steps: [{ delayMs: 300 }] }, "more than 299"],
    ["a reason that is none", { ...valid, expect: { outcome: "error", reason: "tired" } }, '"tired" is not known'],
    ["a failure without its reason", { ...valid, expect: { outcome: "error" } }, '"reason" is missing'],
    ["two responses without endpoints", { ...valid, targets: { A: [valid] } }, '"endpoints" is missing'],
    ["an endpoint that is no letter", { ...valid, client: { action: "consume", endpoints: ["AB"] } }, "does not match"],
  ])("rejects %s", (_, script, problem) => {
    expect(validate(schema, script).join("\n")).toContain(problem);
  });

  it("knows hedging, capabilities and the two further limits", () => {
    const limits = { gateMs: 500, consumerMs: "Infinity" };
    const client = { action: "consume", hedge: { afterMs: 50 }, capabilities: { B: { tools: false } }, limits };
    expect(validate(schema, { ...valid, client })).toEqual([]);
  });

  it("refuses a keyword that it does not implement", () => {
    expect(() => validate({ contains: 1 }, [])).toThrow('"contains"');
  });
});
