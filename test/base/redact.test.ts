import { describe, expect, it } from "vitest";
import { redactProviderMessage } from "../../src/base/redact.ts";

const KEY = "sk-live-0123456789abcdef";

describe("a provider's message", () => {
  it("stays as it is where it repeats nothing", () => {
    expect(redactProviderMessage("model `x` not found")).toBe("model `x` not found");
  });

  it("is cut at 300 characters", () => {
    expect(redactProviderMessage("ab ".repeat(1_000)).length).toBeLessThanOrEqual(300);
  });

  it("loses every sent value of at least 8 characters, wherever and however often it stands", () => {
    const text = `bad key ${KEY}${KEY}, again ${KEY}: tenant42 short`;
    const said = redactProviderMessage(text, { sentValues: [KEY, "tenant42", "short"] });
    expect(said).toBe("bad key [redacted], again [redacted]: [redacted] short");
  });

  it("loses values that overlap each other whole", () => {
    const said = redactProviderMessage("x abcdefghijklm y", { sentValues: ["abcdefgh", "fghijklm"] });
    expect(said).toBe("x [redacted] y");
  });

  it("replaces controls, terminal sequences and bidirectional characters by spaces", () => {
    const said = redactProviderMessage("a\u001b[31mb\u0000c\r\nd\u202ee\u2028f\u2066g\u009bh\u200bi");
    expect(said).toBe("a b c  d e f g h i");
  });

  it("loses what it repeats of the request from 32 characters on", () => {
    const prompt = "my grandmother's maiden name is Rosenthal and she lives in Graz";
    const requestBody = JSON.stringify({ messages: [{ role: "user", content: prompt }] });
    const said = redactProviderMessage(`invalid content: ${prompt}; at 0`, { requestBody });
    expect(said).toBe("invalid content: …; at 0");
    expect(redactProviderMessage(`bad: <${prompt.slice(3, 34)}!`, { requestBody })).toContain(prompt.slice(3, 34));
    expect(redactProviderMessage(`bad: <${prompt.slice(3, 35)}!`, { requestBody })).toBe("bad: <…!");
  });

  it("recognises the request in both of its forms: as written and as JSON", () => {
    const prompt = 'first line\nsecond "line", café\tand a tail that goes on';
    const requestBody = JSON.stringify({ prompt }).replace("é", "\\u00e9");
    expect(redactProviderMessage(`no: ${prompt}`, { requestBody })).toBe("no: …");
    const quoted = JSON.stringify(prompt).replace("é", "\\u00e9");
    expect(redactProviderMessage(`no: ${quoted}`, { requestBody })).toMatch(/^no: …"?$/);
  });

  it("finds a run at every offset of the request", () => {
    const run = "0123456789abcdefghijklmnopqrstuv";
    for (let offset = 0; offset < 40; offset++) {
      const requestBody = `${"#".repeat(offset)}${run}${"%".repeat(40)}`;
      expect(redactProviderMessage(`<${run}>`, { requestBody })).toBe("<…>");
    }
  });

  it("shows no part of a value that its own reading bound cut", () => {
    for (let cut = 1; cut < KEY.length; cut++) {
      const text = "\u0007".repeat(16 * 1024 - cut) + KEY + KEY;
      expect(redactProviderMessage(text, { sentValues: [KEY] })).toBe("");
    }
  });

  it("takes linear time, however hostile message and request are", () => {
    const hostile = [
      ["a".repeat(64 * 1024), "a".repeat(4_000_000)],
      ["ab".repeat(32 * 1024), `${"ab".repeat(2_000_000)}c`],
      ["\u001b[".repeat(32 * 1024), JSON.stringify("\\".repeat(2_000_000))],
      [`\u001b[${"1".repeat(60_000)}`, JSON.stringify("\u001b[".repeat(1_000_000))],
      ["[".repeat(64 * 1024), `${"[".repeat(500_000)}"\\n"${"]".repeat(500_000)}`],
      ["a".repeat(64 * 1024), "b".repeat(4_000_000)],
    ] as const;
    for (const [message, requestBody] of hostile) {
      const before = performance.now();
      const sentValues = ["a".repeat(4_000), `${"a".repeat(4_000)}b`, "ab".repeat(2_000)];
      expect(redactProviderMessage(message, { requestBody, sentValues }).length).toBeLessThanOrEqual(300);
      expect(performance.now() - before).toBeLessThan(5_000);
    }
  });
});
