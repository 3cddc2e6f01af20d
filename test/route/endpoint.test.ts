import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { protocols } from "../../src/protocol/builtins.ts";
import {
  type Endpoint,
  nameOf,
  observedUrl,
  requestedModel,
  resolveEndpoint,
  resolvePrimary,
} from "../../src/route/endpoint.ts";

const KEY = "sk-live-0123456789abcdef";
const given: Endpoint = {
  protocol: "openai-chat",
  url: `https://a.example:8443/v1/chat?key=${KEY}#x`,
  apiKey: KEY,
  headers: { "x-api-key": KEY },
  body: { secret: KEY },
  model: "m",
};
const resolve = (more: Partial<Endpoint> = {}) => resolveEndpoint({ ...given, ...more }, protocols);

describe("a resolved endpoint", () => {
  it("has every default decided", () => {
    expect({ ...resolveEndpoint({ protocol: "gemini", url: "https://a.example/x" }, protocols) }).toEqual({
      name: "a.example",
      protocol: protocols.gemini,
      model: undefined,
      verbatim: false,
      lenient: false,
      capabilities: {},
      limits: undefined,
      refusalCodes: [],
      requestIdHeader: null,
      publicUrl: new URL("https://a.example/x"),
    });
    expect(resolve({ completion: "lenient", name: "x", protocol: protocols.ollama })).toMatchObject({
      lenient: true,
      name: "x",
      protocol: protocols.ollama,
    });
  });

  it("shows key, headers, query and body to nobody, and holds them", () => {
    for (const endpoint of [
      resolve(),
      resolvePrimary(
        {},
        new URL(`https://a.example/?key=${KEY}`),
        protocols.gemini,
        { "x-api-key": KEY },
        { credentials: KEY },
      ),
    ]) {
      const seen = [
        inspect(endpoint, { depth: 9, showHidden: true }),
        inspect({ endpoint }),
        JSON.stringify(endpoint),
        JSON.stringify({ ...endpoint }),
      ];
      for (const shown of seen) expect(shown).not.toContain(KEY);
    }
    expect(resolve()).toMatchObject({ apiKey: KEY, headers: given.headers, body: given.body });
  });

  it("is called after its host, a relative one without a page after its path", () => {
    expect(nameOf(given)).toBe("a.example:8443");
    expect(nameOf({ url: "/api/chat" })).toBe("/api/chat");
    expect(nameOf({ url: "/api/chat", name: "relay" })).toBe("relay");
  });

  it("knows the model it will ask for, where one can know it", () => {
    expect(requestedModel(resolve(), { model: "caller" })).toBe("m");
    expect(requestedModel(resolve({ model: undefined }), { model: "caller" })).toBe("caller");
    expect(requestedModel(resolve({ body: { model: "own" } }), { model: "caller" })).toBe("own");
    expect(requestedModel(resolve({ model: undefined, body: (body) => body }), {})).toBeNull();
    expect(requestedModel(resolve({ model: undefined }), { model: 5 })).toBeNull();
  });

  it("is observed without query and fragment, with its model where that stands in the path", () => {
    expect(resolve().publicUrl.href).toBe("https://a.example:8443/v1/chat");
    const gemini = resolve({ url: `https://g.example/models/{model}:x?key=${KEY}`, model: "a/b" });
    expect(gemini.publicUrl.href).toBe("https://g.example/models/a%2Fb:x");
    expect(observedUrl(gemini, "c").href).toBe("https://g.example/models/c:x");
  });
});
