import { afterEach, describe, expect, it, vi } from "vitest";
import {
  addressFault,
  addressFor,
  mayCarryKey,
  parseAddress,
  publicUrl,
  redirectTarget,
} from "../../src/attempt/address.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

const gemini = parseAddress("https://g.example/v1beta/models/{model}:stream?alt=sse");

describe("an address", () => {
  it.each([
    ["https://", "no address"],
    ["https://{model}.example/", "an address with `{model}` in its host"],
    ["https://a b/", "no address"],
    ["ftp://a.example/", "an address that begins otherwise"],
    ["javascript:alert(1)", "an address that begins otherwise"],
    ["localhost:11434/api/chat", "an address that begins otherwise"],
    ["https://user:pass@a.example/", "an address with a user name or password"],
    ["https://user@a.example/", "an address with a user name or password"],
    ["//evil.example/v1/chat", "a relative address that leads away from its page"],
    ["/\\evil.example/v1/chat", "a relative address that leads away from its page"],
    ["\\\\evil.example/v1/chat", "a relative address that leads away from its page"],
  ])("%s is refused: %s", (url, problem) => {
    expect(addressFault(url)).toBe(problem);
    expect(() => parseAddress(url)).toThrow(new TypeError(problem));
  });

  it("may be relative, and is resolved where there is a page", () => {
    expect(parseAddress("/api/chat")).toMatchObject({ unresolved: true });
    vi.stubGlobal("location", { href: "https://app.example/chat/1" });
    expect(parseAddress("/api/chat")).toMatchObject({
      unresolved: false,
      url: new URL("https://app.example/api/chat"),
    });
    expect(addressFault("//evil.example/api")).toBe("a relative address that leads away from its page");
    vi.stubGlobal("document", { baseURI: "https://app.example/base/" });
    expect(parseAddress("api")).toMatchObject({ url: new URL("https://app.example/base/api") });
    vi.stubGlobal("document", { baseURI: "about:srcdoc" });
    expect(parseAddress("/api")).toMatchObject({ unresolved: true });
  });

  it("takes the model encoded, in strings and in URL objects", () => {
    for (const address of [gemini, parseAddress(new URL("https://g.example/v1beta/models/{model}:stream?alt=sse"))]) {
      expect(addressFor(address, "gemini-2.5/pro 1")?.href).toBe(
        "https://g.example/v1beta/models/gemini-2.5%2Fpro%201:stream?alt=sse",
      );
    }
    expect(addressFor(parseAddress("https://a.example/x"), null)?.href).toBe("https://a.example/x");
  });

  it("keeps host and path whatever the model is called", () => {
    const bare = parseAddress("https://g.example/models/{model}");
    const names = [
      "../../files/x?key=1",
      "..%2f..",
      "%2e%2e",
      "//evil.example",
      "x#y",
      "a@evil.example",
      "\\..\\",
      "$&$'$`",
      "a\nb",
      "http://evil.example",
    ];
    for (const model of names) {
      for (const address of [gemini, bare]) {
        const url = addressFor(address, model) as URL;
        expect(url.origin).toBe("https://g.example");
        expect(decodeURIComponent(url.pathname)).toContain(model);
        expect(url.pathname.split("/").length).toBe(address.url.pathname.split("/").length);
        expect(url.search).toBe(address.url.search);
      }
    }
    for (const model of ["..", ".", ""]) expect(addressFor(bare, model)).toBeNull();
    expect(addressFor(parseAddress("https://g.example/a/.{model}/b"), ".")).toBeNull();
  });

  it("is shown without query, fragment and user", () => {
    expect(publicUrl(new URL("https://u:p@a.example/x?key=1#y")).href).toBe("https://a.example/x");
  });

  it("may carry a key over https and to this machine", () => {
    for (const url of [
      "https://a.example",
      "http://localhost:1",
      "http://x.localhost",
      "http://127.0.0.1",
      "http://127.1",
      "http://[::1]:80",
    ]) {
      expect(mayCarryKey(new URL(url))).toBe(true);
    }
    for (const url of [
      "http://a.example",
      "http://localhost.evil.example",
      "http://127.0.0.1.evil.example",
      "http://0.0.0.0",
      "http://192.168.0.1",
    ]) {
      expect(mayCarryKey(new URL(url))).toBe(false);
    }
  });
});

describe("a redirect", () => {
  const from = new URL("https://a.example/v1/chat");

  it("is followed to the same origin, three times, if it keeps method and body", () => {
    for (const status of [307, 308])
      expect(redirectTarget(from, status, "/v2/chat", 0)?.href).toBe("https://a.example/v2/chat");
    expect(redirectTarget(from, 307, "https://a.example:443/x", 2)?.href).toBe("https://a.example/x");
    expect(redirectTarget(from, 307, "/v2/chat", 3)).toBeNull();
  });

  it.each([
    [301, "/v2/chat"],
    [302, "/v2/chat"],
    [303, "/v2/chat"],
    [200, "/v2/chat"],
    [307, null],
    [307, "https://evil.example/v1/chat"],
    [307, "//evil.example/v1/chat"],
    [307, "/\\evil.example"],
    [307, "http://a.example/v1/chat"],
    [307, "https://a.example:8443/v1/chat"],
    [307, "https://user:pass@a.example/v1/chat"],
    [308, "https://"],
    [308, "data:text/plain,x"],
  ])("%d to %s is not", (status, location) => {
    expect(redirectTarget(from, status, location, 0)).toBeNull();
  });
});
