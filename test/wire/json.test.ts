import { describe, expect, it } from "vitest";
import { FrameFault, parseJson, scanJson, wireFaultOf } from "../../src/wire/json.ts";
import { WireFrame } from "../../src/wire/wire-frame.ts";

const MIB = 1024 * 1024;
const padded = (json: string): string => json + " ".repeat(MIB + 1);

describe("parseJson", () => {
  it("parses what is JSON and says of the rest that it is malformed", () => {
    expect(parseJson('{"a":[1]}')).toEqual({ ok: true, json: { a: [1] } });
    for (const text of ["", "[DONE]", '{"a":', "{'a':1}", '{"a":"\n"}', '{"a":"\0"}', "NaN"]) {
      expect(parseJson(text)).toEqual({ ok: false, fault: "malformed" });
    }
  });

  it("refuses a text over 1 MiB with more than 200 000 of { [ ,", () => {
    const values = (count: number) => padded(`[${Array(count).fill("1").join(",")}]`);
    expect(parseJson(values(200_000)).ok).toBe(true);
    expect(parseJson(values(200_001))).toEqual({ ok: false, fault: "too_large" });
    expect(parseJson(`[${Array(600_000).fill("{}").join(",")}]`)).toEqual({ ok: false, fault: "too_large" });
  });

  it("refuses a text over 1 MiB nested deeper than 256", () => {
    const nested = (depth: number) => padded("[".repeat(depth) + "]".repeat(depth));
    expect(parseJson(nested(256)).ok).toBe(true);
    expect(parseJson(nested(257))).toEqual({ ok: false, fault: "too_large" });
  });

  it("does not count what stands inside strings, quotes and backslashes included", () => {
    for (const text of ["[".repeat(MIB), "a,".repeat(MIB), '\\"[{,'.repeat(MIB / 4), '\\\\"{'.repeat(MIB / 4)]) {
      const json = JSON.stringify({ text });
      expect(parseJson(json)).toEqual({ ok: true, json: { text } });
      expect(scanJson(json)).toEqual({ marks: 1, deepest: 1, open: 0 });
    }
  });

  it("keeps a __proto__ key as a plain property of its own", () => {
    const parsed = parseJson('{"__proto__":{"polluted":true}}');
    expect(parsed.ok && Object.keys(parsed.json)).toEqual(["__proto__"]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe("scanJson", () => {
  it.each([
    ['{"a":{"b":[', 3],
    ['"]}",', 0],
    ["]}", -2],
    ['{"text": "never closed {[', 1],
    ['{"a":"\\\\"}', 0],
    ['{"a":"\\"}', 1],
  ])("tells how many brackets %s leaves open: %i", (text, open) => {
    expect(scanJson(text).open).toBe(open);
  });
});

describe("Frame.json()", () => {
  it("parses once and gives the same object again", () => {
    const frame = new WireFrame("", '{"a":1}');
    expect(frame.json()).toBe(frame.json());
  });

  it("throws what wireFaultOf reads, with nothing of the data in it", () => {
    const thrown = (data: string): unknown => {
      try {
        return new WireFrame("", data).json();
      } catch (error) {
        return error;
      }
    };
    const malformed = thrown("sk-secret {");
    expect(malformed).toBeInstanceOf(FrameFault);
    expect(String(malformed)).toBe("FrameFault: the frame is not JSON");
    expect(wireFaultOf(malformed)).toBe("malformed");
    expect(wireFaultOf(thrown(padded("[".repeat(300))))).toBe("too_large");
  });

  it("counts whatever else a protocol throws as a frame that it could not read", () => {
    expect(wireFaultOf(new TypeError("x is undefined"))).toBe("malformed");
    expect(wireFaultOf(undefined)).toBe("malformed");
  });
});
