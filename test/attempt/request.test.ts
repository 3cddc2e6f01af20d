import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { parseAddress } from "../../src/attempt/address.ts";
import { requestSource } from "../../src/attempt/body.ts";
import {
  type AttemptContext,
  type Preparation,
  type PreparedRequest,
  prepareRequest,
  type RequestTarget,
  requestInit,
  sentValues,
} from "../../src/attempt/request.ts";
import type { Protocol, RequestShape } from "../../src/protocol/protocol.ts";

const KEY = "sk-live-0123456789abcdefghijklmnop";

function protocol(request: RequestShape = {}, authorize?: Protocol["authorize"]): Protocol {
  const createDecoder = () => ({ frame() {} });
  return { name: "p", framing: "sse", createDecoder, request, ...(authorize && { authorize }) };
}

function target(given: Partial<RequestTarget> & { url?: string | URL } = {}): RequestTarget {
  const { url = "https://api.example/v1/chat", ...rest } = given;
  return { name: "a", protocol: protocol(), address: parseAddress(url), ...rest };
}

function context(signal = new AbortController().signal): AttemptContext {
  return { callId: "c", endpoint: "a", index: 0, kind: "initial", signal };
}

const hello = requestSource({ messages: [{ role: "user", content: "hi" }] });

function built(preparation: Preparation | Promise<Preparation>): PreparedRequest {
  if (preparation instanceof Promise) throw new Error("not at once");
  if (!preparation.ok) throw new Error(preparation.fault?.message);
  return preparation.request;
}

async function faultOf(preparation: Preparation | Promise<Preparation>) {
  const settled = await preparation;
  if (settled.ok) throw new Error("it was built");
  return settled.fault;
}

const bodyOf = (preparation: Preparation | Promise<Preparation>) => JSON.parse(built(preparation).body);
const headersOf = (preparation: Preparation | Promise<Preparation>) => Object.fromEntries(built(preparation).headers);

describe("the body", () => {
  it("is the caller's with `stream: true`, and nothing else is added", () => {
    expect(bodyOf(prepareRequest(target(), hello, context()))).toEqual({ ...hello.body, stream: true });
    expect(bodyOf(prepareRequest(target(), requestSource({ stream: false }), context()))).toEqual({ stream: true });
    expect(bodyOf(prepareRequest(target(), requestSource({}), context()))).toEqual({ stream: true });
  });

  it("takes the endpoint's model over the caller's, and the caller's where the endpoint has none", () => {
    const asked = requestSource({ model: "caller" });
    expect(built(prepareRequest(target({ model: "own" }), asked, context()))).toMatchObject({ model: "own" });
    expect(bodyOf(prepareRequest(target({ model: "own" }), asked, context())).model).toBe("own");
    expect(built(prepareRequest(target(), asked, context())).model).toBe("caller");
    expect(built(prepareRequest(target(), hello, context())).model).toBeNull();
  });

  it("takes the endpoint's object over it, one level deep; `undefined` removes", () => {
    const source = requestSource({ a: 1, b: { x: 1, y: 2 }, c: 3 });
    const body = { b: { x: 9 }, c: undefined, d: 4 };
    expect(bodyOf(prepareRequest(target({ body }), source, context()))).toEqual({
      a: 1,
      b: { x: 9 },
      d: 4,
      stream: true,
    });
    expect(bodyOf(prepareRequest(target({ body: { stream: undefined } }), source, context()))).not.toHaveProperty(
      "stream",
    );
  });

  it("is what the endpoint's function makes of the caller's, with stream and model set", () => {
    const body = vi.fn((request: any) => ({ model: request.model, stream: false, prompt: request.messages.length }));
    const given = context();
    const prepared = prepareRequest(target({ body, model: "own" }), hello, given);
    expect(bodyOf(prepared)).toEqual({ model: "own", stream: true, prompt: 1 });
    expect(body).toHaveBeenCalledExactlyOnceWith(hello.body, given);
  });

  describe("has the protocol's defaults", () => {
    const chat = protocol({ defaults: { stream_options: { include_usage: true } } });
    const optionsOf = (written: object, body?: RequestTarget["body"]) =>
      bodyOf(prepareRequest(target({ protocol: chat, body }), requestSource(written), context())).stream_options;

    it("below what caller and endpoint say", () => {
      expect(optionsOf({})).toEqual({ include_usage: true });
      expect(optionsOf({ stream_options: undefined })).toEqual({ include_usage: true });
      expect(optionsOf({ stream_options: { include_obfuscation: false } })).toEqual({
        include_usage: true,
        include_obfuscation: false,
      });
      expect(optionsOf({ stream_options: { include_usage: false } })).toEqual({ include_usage: false });
      expect(optionsOf({ stream_options: null })).toBeNull();
      expect(optionsOf({}, { stream_options: undefined })).toBeUndefined();
      expect(optionsOf({}, { stream_options: { x: 1 } })).toEqual({ x: 1 });
      expect(optionsOf({}, () => ({ stream_options: undefined }))).toBeUndefined();
      expect(optionsOf({}, () => ({}))).toEqual({ include_usage: true });
    });

    it("but not in a request that somebody else wrote whole", () => {
      const verbatim = requestSource({ stream: true, a: 1 }, { verbatim: true });
      const prepared = prepareRequest(target({ protocol: chat, model: "m", body: { b: 2 } }), verbatim, context());
      expect(bodyOf(prepared)).toEqual({ stream: true, a: 1, model: "m", b: 2 });
    });
  });

  it("that somebody else wrote whole for this address is sent to the byte, with no header added", () => {
    const gemini = protocol({ omit: ["model"], defaults: { x: {} }, headers: { "x-version": "1" } });
    const text = '{ "model" : "m",\n "contents": [] }';
    const written = { body: JSON.parse(text), text, verbatim: true, inherited: { accept: "x" } };
    const headers = new Headers({ "x-goog-api-key": KEY });
    const prepared = built(prepareRequest(target({ protocol: gemini, headers, verbatim: true }), written, context()));
    expect(prepared.body).toBe(text);
    expect(Object.fromEntries(prepared.headers)).toEqual({ "x-goog-api-key": KEY });
  });

  it("has no field that the protocol puts into the address, unless the endpoint says so", () => {
    const gemini = protocol({ omit: ["model", "stream"] });
    const url = "https://g.example/models/{model}:stream";
    const source = requestSource({ model: "caller", stream: true, contents: [] });
    const prepared = built(prepareRequest(target({ protocol: gemini, url }), source, context()));
    expect(prepared.body).toBe('{"contents":[]}');
    expect([prepared.url.href, prepared.model]).toEqual(["https://g.example/models/caller:stream", "caller"]);
    expect(bodyOf(prepareRequest(target({ protocol: gemini, url, body: { stream: 1 } }), source, context()))).toEqual({
      contents: [],
      stream: 1,
    });
  });

  it("is the same JSON whether fields are appended to the caller's text or merged", () => {
    for (const written of [{}, { a: "}" }, { a: undefined }, { "": 1 }, { a: [{}] }]) {
      const { body } = built(
        prepareRequest(target({ model: "m", body: { z: { q: 1 } } }), requestSource(written), context()),
      );
      expect(JSON.parse(body)).toEqual(
        JSON.parse(JSON.stringify({ ...written, stream: true, model: "m", z: { q: 1 } })),
      );
    }
  });

  it("does not change when the caller goes on to change what it passed", () => {
    const messages = [{ role: "user", content: "hi" }];
    const source = requestSource({ messages });
    messages.push({ role: "user", content: "more" });
    expect(bodyOf(prepareRequest(target(), source, context())).messages).toHaveLength(1);
  });

  it("cannot pollute a prototype", () => {
    const evil = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"model":"x"}');
    for (const body of [evil, () => evil]) {
      const prepared = built(prepareRequest(target({ body, model: "m" }), requestSource(evil), context()));
      expect(JSON.parse(prepared.body)).toHaveProperty("model");
    }
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  it("that is no JSON object is a TypeError without its words", () => {
    const ring: { secret: string; self?: object } = { secret: KEY };
    ring.self = ring;
    const throwing = { toJSON: () => 7 };
    for (const body of [ring, { a: 1n }, throwing])
      expect(() => requestSource(body)).toThrow(/^`body` cannot be written as JSON; allowed is a JSON object$/);
  });
});

describe("the headers", () => {
  it("are content type, key and what the protocol needs", () => {
    const anthropic = protocol({ headers: { "anthropic-version": "2023-06-01" } }, (key) => ({ "x-api-key": key }));
    expect(headersOf(prepareRequest(target(), hello, context()))).toEqual({ "content-type": "application/json" });
    expect(headersOf(prepareRequest(target({ apiKey: KEY }), hello, context()))).toEqual({
      "content-type": "application/json",
      authorization: `Bearer ${KEY}`,
    });
    expect(headersOf(prepareRequest(target({ protocol: anthropic, apiKey: KEY }), hello, context()))).toEqual({
      "content-type": "application/json",
      "anthropic-version": "2023-06-01",
      "x-api-key": KEY,
    });
  });

  it("merge by name: protocol, what a foreign caller may hand on, key, endpoint, call", () => {
    const layered = protocol(
      { headers: { "x-a": "protocol", "x-b": "protocol", "x-c": "protocol", "x-d": "protocol" } },
      () => ({ "x-c": "key" }),
    );
    const source = requestSource(
      {},
      { inherited: { "x-b": "inherited", "x-c": "inherited" }, headers: new Headers({ "X-E": "call" }) },
    );
    const headers = { "X-D": "endpoint", "x-e": "endpoint", "x-gone": undefined };
    const sent = headersOf(prepareRequest(target({ protocol: layered, apiKey: KEY, headers }), source, context()));
    expect(sent).toEqual({
      "content-type": "application/json",
      "x-a": "protocol",
      "x-b": "inherited",
      "x-c": "key",
      "x-d": "endpoint",
      "x-e": "call",
    });
  });

  it("are joined by what observers add, which is never over one that is set", () => {
    const request = built(prepareRequest(target({ headers: { traceparent: "ours" } }), hello, context()));
    const { signal } = new AbortController();
    const init = requestInit(request, signal, new Headers({ traceparent: "theirs", tracestate: "theirs" }));
    expect(Object.fromEntries(init.headers as Headers)).toEqual({
      "content-type": "application/json",
      traceparent: "ours",
      tracestate: "theirs",
    });
    expect(init).toMatchObject({ method: "POST", redirect: "manual", signal, body: request.body });
    expect(request.headers.has("tracestate")).toBe(false);
  });
});

describe("functions of the endpoint", () => {
  it("get the attempt and may give promises", async () => {
    const given = context();
    const apiKey = vi.fn(async () => KEY);
    const headers = vi.fn(async () => ({ "x-a": "1" }));
    const body = vi.fn(async () => ({ a: 1 }));
    const prepared = await prepareRequest(target({ apiKey, headers, body }), hello, given);
    expect(headersOf(prepared)).toMatchObject({ authorization: `Bearer ${KEY}`, "x-a": "1" });
    expect(bodyOf(prepared)).toEqual({ a: 1, stream: true });
    for (const asked of [apiKey, headers]) expect(asked).toHaveBeenCalledExactlyOnceWith(given);
  });

  it("are done at once if none gives a promise", () => {
    const prepared = prepareRequest(
      target({ apiKey: () => KEY, headers: () => ({}), body: (b) => b }),
      hello,
      context(),
    );
    expect(prepared).not.toBeInstanceOf(Promise);
  });

  it.each(["apiKey", "headers", "body"] as const)("that fail give their own error, whichever way: %s", async (part) => {
    const own = new Error(`token service said ${KEY}`);
    const fails = [
      () => {
        throw own;
      },
      () => Promise.reject(own),
      // biome-ignore lint/suspicious/noThenProperty: a foreign thenable
      () => ({ then: (_: unknown, reject: (error: Error) => void) => reject(own) }),
    ];
    for (const fail of fails) {
      const fault = await faultOf(prepareRequest(target({ [part]: fail }), hello, context()));
      expect(fault).toEqual({ message: `endpoint \`a\`: its \`${part}\` function failed`, cause: own });
      expect(fault?.cause).toBe(own);
    }
  });

  it.each([
    [{ apiKey: () => "" }, "its `apiKey` function gave an empty string, not a key"],
    [{ apiKey: () => undefined }, "its `apiKey` function gave undefined, not a key"],
    [{ apiKey: async () => ({ token: KEY }) }, "its `apiKey` function gave object, not a key"],
    [{ headers: () => KEY }, "its `headers` function gave no headers"],
    [{ headers: () => null }, "its `headers` function gave no headers"],
    [{ headers: async () => undefined }, "its `headers` function gave no headers"],
    [{ body: () => KEY }, "its `body` function gave no object"],
    [{ body: () => [KEY] }, "its `body` function gave no object"],
    [{ body: () => ({ a: 1n }) }, "its request cannot be written as JSON"],
  ])("that give something unusable are a fault without it: %o", async (given, problem) => {
    const fault = await faultOf(prepareRequest(target(given as Partial<RequestTarget>), hello, context()));
    expect(fault).toEqual({ message: `endpoint \`a\`: ${problem}`, cause: undefined });
  });

  it("are not waited for once the attempt is aborted, and leave no listener", async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, "addEventListener");
    const removed = vi.spyOn(controller.signal, "removeEventListener");
    const pending = prepareRequest(target({ apiKey: () => new Promise(() => {}) }), hello, context(controller.signal));
    controller.abort();
    expect(await pending).toEqual({ ok: false, fault: null });
    expect(await prepareRequest(target({ apiKey: async () => KEY }), hello, context(controller.signal))).toEqual({
      ok: false,
      fault: null,
    });
    const other = new AbortController();
    const kept = vi.spyOn(other.signal, "removeEventListener");
    await prepareRequest(target({ apiKey: async () => KEY }), hello, context(other.signal));
    expect([added.mock.calls.length, removed.mock.calls.length, kept.mock.calls.length]).toEqual([1, 0, 1]);
  });

  it("that fail because of the abort are no fault of theirs", async () => {
    const controller = new AbortController();
    const apiKey = ({ signal }: AttemptContext) =>
      new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const pending = prepareRequest(target({ apiKey }), hello, context(controller.signal));
    controller.abort();
    expect(await pending).toEqual({ ok: false, fault: null });
  });
});

describe("a key that HTTP does not allow", () => {
  const broken = [`${KEY}\n${KEY}`, `${KEY}\r\nx-evil: 1`, `${KEY}\u0000`, `${KEY}é\u{1f600}`];
  const places: ((value: string) => Partial<RequestTarget>)[] = [
    (value) => ({ apiKey: value }),
    (value) => ({ apiKey: async () => value }),
    (value) => ({ headers: { "x-api-key": value } }),
    (value) => ({ headers: async () => ({ authorization: `Bearer ${value}` }) }),
    (value) => ({ headers: { [value]: "x-api-key" } }),
    (value) => ({ headers: { [`Bearer ${value}`]: "authorization" } }),
    (value) => ({ protocol: protocol({}, (key) => ({ "x-api-key": key })), apiKey: value }),
  ];

  it("stands in no message, no cause and no inspection", async () => {
    for (const value of broken) {
      for (const place of places) {
        const fault = await faultOf(prepareRequest(target(place(value)), hello, context()));
        const shown = inspect(fault, { depth: 9, showHidden: true }) + JSON.stringify(fault);
        expect(shown).toContain("endpoint `a`: a header");
        expect(shown).not.toContain("0123456789");
        expect(shown).not.toContain("x-evil");
        expect(fault?.cause).toBeUndefined();
      }
    }
  });

  it("is named by its header where the name can be shown", async () => {
    const fault = await faultOf(prepareRequest(target({ headers: { "x-api-key": "a\nb" } }), hello, context()));
    expect(fault?.message).toBe("endpoint `a`: a header `x-api-key` holds a character that HTTP does not allow");
  });
});

describe("the address", () => {
  it("must be reachable from here, and have a model if it asks for one", async () => {
    const relative = await faultOf(prepareRequest(target({ url: "/api/chat" }), hello, context()));
    expect(relative?.message).toBe(
      "endpoint `a`: its `url` does not begin with `https://`, and there is no page that it could be relative to",
    );
    for (const model of [undefined, "", ".", "..", "\ud800"]) {
      const fault = await faultOf(
        prepareRequest(target({ url: "https://g.example/m/{model}", model }), hello, context()),
      );
      expect(fault?.message).toBe(
        "endpoint `a`: `{model}` in its `url` needs a model, of characters that a path can hold",
      );
    }
  });
});

describe("the values by which an echo is recognised", () => {
  it("are those of all headers but the harmless ones, of the query, and their parts", () => {
    const url = new URL("https://a.example/?key=query-secret&n=1&t=a%2Fb%2Fc%2Fd%2Fe");
    const values = sentValues(
      url,
      new Headers({
        authorization: `Bearer ${KEY}`,
        cookie: "a=b; session=cookie-secret",
        accept: "text/event-stream",
        "x-short": "short",
      }),
    );
    expect(values).toEqual(
      expect.arrayContaining([KEY, `Bearer ${KEY}`, "query-secret", "cookie-secret", "a/b/c/d/e", "a%2Fb%2Fc%2Fd%2Fe"]),
    );
    for (const value of values) expect(["text/event-stream", "short", "1"]).not.toContain(value);
  });
});
