import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { scrubCause } from "../../src/base/scrub.ts";

const KEY = "sk-live-0123456789abcdef";

function shownOf(value: unknown): string {
  const stack = value instanceof Error ? value.stack : "";
  return inspect(value, { depth: 20, showHidden: true }) + String(value) + stack + JSON.stringify(value);
}

describe("the copy of a foreign error", () => {
  it("keeps name, code and message of each link and nothing else", () => {
    const socket = Object.assign(new Error("other side closed"), { code: "UND_ERR_SOCKET", socket: { auth: KEY } });
    const foreign = Object.assign(new TypeError("fetch failed", { cause: socket }), { request: { headers: KEY } });
    const copy = scrubCause(foreign) as Error & { cause: Error & { code: string } };
    expect(copy).not.toBe(foreign);
    expect(copy).toBeInstanceOf(Error);
    expect([copy.name, copy.message]).toEqual(["TypeError", "fetch failed"]);
    expect([copy.cause.name, copy.cause.message, copy.cause.code]).toEqual([
      "Error",
      "other side closed",
      "UND_ERR_SOCKET",
    ]);
    expect(shownOf(copy)).not.toContain(KEY);
  });

  it("keeps every branch of an aggregate", () => {
    const refused = (address: string) =>
      Object.assign(new Error(`connect ECONNREFUSED ${address}`), { code: "ECONNREFUSED" });
    const copy = scrubCause(new AggregateError([refused("::1:9"), refused("127.0.0.1:9")], "")) as AggregateError;
    expect(copy.name).toBe("AggregateError");
    expect(copy.errors.map((error) => [error.code, error.message])).toEqual([
      ["ECONNREFUSED", "connect ECONNREFUSED ::1:9"],
      ["ECONNREFUSED", "connect ECONNREFUSED 127.0.0.1:9"],
    ]);
  });

  it("is at most 8 links long and ends where the chain bites its tail", () => {
    let chain = new Error("0");
    for (let at = 1; at < 20; at++) chain = new Error(String(at), { cause: chain });
    let length = 0;
    for (let link = scrubCause(chain) as Error | undefined; link; link = link.cause as Error | undefined) length++;
    expect(length).toBe(8);
    const ring: Error & { errors?: unknown[] } = new Error("ring");
    ring.cause = ring;
    ring.errors = [ring, ring];
    expect((scrubCause(ring) as Error).message).toBe("ring");
    const wide = Object.assign(new Error("wide"), { errors: Array.from({ length: 100_000 }, () => new Error("one")) });
    expect((scrubCause(wide) as AggregateError).errors.length).toBeLessThanOrEqual(16);
  });

  it("shows no query, no user name, no password and no sent value", () => {
    const words = [
      `error sending request for url (https://api.example/v1/chat?key=${KEY}&x=1)`,
      `invalid url https://user:${KEY}@api.example/v1`,
      `invalid url https://user:a/b?${KEY}@api.example/v1?q=${KEY}`,
      `wss://api.example/#${KEY} closed`,
      `bad header value Bearer ${KEY}`,
    ];
    for (const word of words) {
      const copy = scrubCause(new Error(word, { cause: word }), [KEY]) as Error;
      expect(shownOf(copy)).not.toContain(KEY);
      expect(shownOf(copy)).not.toContain(KEY.slice(0, 10));
    }
    expect((scrubCause(new Error(words[0])) as Error).message).toBe(
      "error sending request for url (https://api.example/v1/chat?…)",
    );
    expect((scrubCause(new Error(words[1])) as Error).message).toBe("invalid url https://api.example/v1");
  });

  it("has a message of at most 200 characters, without controls", () => {
    const copy = scrubCause(new Error(`\u001b[2J${"x ".repeat(500_000)}`)) as Error;
    expect(copy.message.length).toBeLessThanOrEqual(200);
    expect(copy.message).toMatch(/^x x /);
  });

  it("survives whatever can be thrown", () => {
    const hostile = new Proxy(new Error("x"), {
      get() {
        throw new Error(KEY);
      },
    });
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    for (const thrown of [
      hostile,
      revoked.proxy,
      "words",
      7,
      Symbol("s"),
      () => KEY,
      { message: { toString: () => KEY } },
    ]) {
      expect(shownOf(scrubCause(thrown))).not.toContain(KEY);
    }
    expect(scrubCause(undefined)).toBeNull();
    expect(scrubCause(null)).toBeNull();
    expect((scrubCause("words") as Error).message).toBe("words");
    expect(scrubCause(Object.assign(new Error("x"), { code: `a ${KEY}`, name: `${KEY} b` }))).toMatchObject({
      name: "Error",
    });
    expect((scrubCause(Object.assign(new Error("x"), { code: `a ${KEY}` })) as { code?: string }).code).toBeUndefined();
  });
});
