import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { validateCall, validateClientOptions, validateFetchOptions } from "../../src/client/validate/door.ts";
import { openaiChat } from "../../src/protocol/openai-chat.ts";

const KEY = "sk-live-0123456789abcdefghijklmnop";
const a = { protocol: "openai-chat", url: "https://a.example/v1/chat/completions" } as const;
const b = { ...a, url: "https://b.example/v1/chat/completions" } as const;

const client = (options: object) => () => validateClientOptions({ endpoints: [a], ...options } as never);
const endpoint = (options: object) => client({ endpoints: [{ ...a, ...options }] });
const second = (options: object) => client({ endpoints: [a, { ...b, ...options }] });
const drop = (options: object) => () => validateFetchOptions(options as never);
const call =
  (options: unknown, body: unknown = {}) =>
  () =>
    validateCall(body, options);

const POSITIVE = "a number above 0, or Infinity";
const FROM_0 = "a number from 0 up";
const PROTOCOLS =
  '"openai-chat", "openai-responses", "anthropic-messages", "gemini", "ollama", "cohere-v2", "openai-completions"';

/** What is passed, the option that is named, what is said of the value, what is said to be allowed. */
const WRONG: readonly (readonly [run: () => void, option: string, got: string, allowed: string])[] = [
  // limits
  [client({ limits: { idleMs: 0 } }), "limits.idleMs", "0", POSITIVE],
  [client({ limits: { idleMs: -5 } }), "limits.idleMs", "-5", POSITIVE],
  [client({ limits: { totalMs: Number.NaN } }), "limits.totalMs", "NaN", POSITIVE],
  [client({ limits: { totalMs: "30s" } }), "limits.totalMs", "a string", POSITIVE],
  [client({ limits: { stallMs: -Infinity } }), "limits.stallMs", "-Infinity", POSITIVE],
  [client({ limits: { gateMs: null } }), "limits.gateMs", "null", POSITIVE],
  [client({ limits: { connectMs: () => 1 } }), "limits.connectMs", "a function", POSITIVE],
  [client({ limits: { consumerMs: true } }), "limits.consumerMs", "true", POSITIVE],
  [client({ limits: { firstTokenMs: 0 } }), "limits.firstTokenMs", "0", `${POSITIVE}, or a function`],
  [client({ limits: { lastEndpointGraceMs: -1 } }), "limits.lastEndpointGraceMs", "-1", FROM_0],
  [client({ limits: { minAttemptMs: Number.NaN } }), "limits.minAttemptMs", "NaN", FROM_0],
  [client({ limits: 5 }), "limits", "5", "an object of `connectMs`, `firstTokenMs`"],
  [client({ limits: { idle: 5 } }), "limits.idle", "no option (5), use `idleMs`", "`idleMs`, `stallMs`"],
  [endpoint({ limits: { idleMs: -5 } }), "endpoints[0].limits.idleMs", "-5", POSITIVE],
  [
    endpoint({ limits: { gateMs: 5 } }),
    "endpoints[0].limits.gateMs",
    "no option (5)",
    "`connectMs`, `firstTokenMs`, `idleMs`, `stallMs`",
  ],
  // retry, fallback, breaker, budget, hedge
  [client({ retry: { maxRetries: 1.5 } }), "retry.maxRetries", "1.5", "a whole number from 0 up"],
  [client({ retry: { maxRetries: -1 } }), "retry.maxRetries", "-1", "a whole number from 0 up"],
  [client({ retry: { maxAttempts: 0 } }), "retry.maxAttempts", "0", "a whole number from 1 up"],
  [client({ retry: { baseDelayMs: "1" } }), "retry.baseDelayMs", "a string", FROM_0],
  [client({ retry: 3 }), "retry", "3", "an object of `maxRetries`"],
  [client({ fallback: { maxFallbacks: "2" } }), "fallback.maxFallbacks", "a string", "a whole number from 0 up"],
  [client({ breaker: true }), "breaker", "true", "false, or an object of `consecutiveFailures`"],
  [client({ breaker: { failureRatio: 1.5 } }), "breaker.failureRatio", "1.5", "a number above 0, up to 1"],
  [client({ breaker: { consecutiveFailures: 0 } }), "breaker.consecutiveFailures", "0", "a whole number from 1 up"],
  [client({ retryBudget: { ratio: -0.1 } }), "retryBudget.ratio", "-0.1", FROM_0],
  [client({ hedge: true }), "hedge", "true", "false, or an object of `afterMs`"],
  [client({ hedge: {} }), "hedge.afterMs", "undefined", `${POSITIVE}, or a function`],
  [client({ hedge: { afterMs: -1 } }), "hedge.afterMs", "-1", `${POSITIVE}, or a function`],
  // gate, bounds, parts
  [client({ gate: { opensOn: "text" } }), "gate.opensOn", '"text"', '"output" or "content" or "headers"'],
  [client({ gate: { opensOn: "x".repeat(100) } }), "gate.opensOn", `"${"x".repeat(40)}…"`, '"output"'],
  [client({ gate: { maxBytes: 0 } }), "gate.maxBytes", "0", POSITIVE],
  [client({ bounds: { maxTurnBytes: -1 } }), "bounds.maxTurnBytes", "-1", POSITIVE],
  [
    client({ observers: { callEnd() {} } }),
    "observers",
    "an object",
    "an array of observers; falsy entries are skipped",
  ],
  [client({ observers: [null, "x"] }), "observers[1]", "a string", "an observer, or a falsy value"],
  [client({ policy: {} }), "policy", "an object", "a function"],
  [client({ fetch: "fetch" }), "fetch", "a string", "a function"],
  [client({ random: 0.5 }), "random", "0.5", "a function"],
  [client({ clock: { now: () => 0 } }), "clock", "an object", "`now`, `wallNow` and `after`"],
  [client({ clock: Date }), "clock", "a function", "`now`, `wallNow` and `after`"],
  [client({ health: {} }), "health", "an object", "what `createHealth()` gives"],
  // endpoints
  [client({ endpoints: undefined }), "endpoints", "undefined", "an array of endpoints"],
  [client({ endpoints: a }), "endpoints", "an object", "an array of endpoints"],
  [client({ endpoints: [] }), "endpoints", "an empty array", "at least one endpoint"],
  [client({ endpoints: [a, null] }), "endpoints[1]", "null", "an object of `name`, `protocol`"],
  [
    endpoint({ protocol: "openai" }),
    "endpoints[0].protocol",
    '"openai"',
    `${PROTOCOLS}, or what \`defineProtocol()\` gives`,
  ],
  [endpoint({ protocol: "constructor" }), "endpoints[0].protocol", '"constructor"', PROTOCOLS],
  [endpoint({ protocol: undefined }), "endpoints[0].protocol", "undefined", PROTOCOLS],
  [endpoint({ protocol: {} }), "endpoints[0].protocol", "an object", PROTOCOLS],
  [endpoint({ url: undefined }), "endpoints[0].url", "undefined", "an `https:` or `http:` address"],
  [endpoint({ url: 7 }), "endpoints[0].url", "7", "an `https:` or `http:` address"],
  [endpoint({ url: "https://" }), "endpoints[0].url", "no address", "an `https:` or `http:` address"],
  [
    endpoint({ url: "localhost:11434/api/chat" }),
    "endpoints[0].url",
    "an address that begins otherwise",
    "an `https:` or `http:` address",
  ],
  [
    endpoint({ url: `https://user:${KEY}@a.example/` }),
    "endpoints[0].url",
    "an address with a user name or password",
    "keys go into `apiKey`",
  ],
  [
    endpoint({ url: "//evil.example/v1/chat" }),
    "endpoints[0].url",
    "a relative address that leads away from its page",
    "in a page a relative one",
  ],
  [
    endpoint({ url: "https://{model}.example/" }),
    "endpoints[0].url",
    "an address with `{model}` in its host",
    "an `https:`",
  ],
  [
    endpoint({ url: "http://a.example/", apiKey: KEY }),
    "endpoints[0].url",
    "an address that sends a key over plain `http:`",
    "`https:`, this machine, or `allowInsecure: true`",
  ],
  [
    endpoint({ url: "http://a.example/", apiKey: () => KEY }),
    "endpoints[0].url",
    "plain `http:`",
    "`allowInsecure: true`",
  ],
  [
    endpoint({ url: "http://a.example/", headers: { Authorization: KEY } }),
    "endpoints[0].url",
    "plain `http:`",
    "`allowInsecure: true`",
  ],
  [endpoint({ apiKey: undefined }), "endpoints[0].apiKey", "undefined", "is the environment variable set?"],
  [endpoint({ apiKey: "" }), "endpoints[0].apiKey", "an empty string", "is the environment variable set?"],
  [endpoint({ apiKey: null }), "endpoints[0].apiKey", "null", "a string, or a function that gives one"],
  [endpoint({ apiKey: { value: KEY } }), "endpoints[0].apiKey", "an object", "a string, or a function that gives one"],
  [endpoint({ allowInsecure: "yes" }), "endpoints[0].allowInsecure", "a string", "true or false"],
  [endpoint({ model: "" }), "endpoints[0].model", "an empty string", "a string that is not empty"],
  [endpoint({ name: 3 }), "endpoints[0].name", "3", "a string that is not empty"],
  [
    endpoint({ headers: [["x-a", KEY]] }),
    "endpoints[0].headers",
    "an array",
    "a `Headers` object, or an object of strings",
  ],
  [
    endpoint({ headers: { "x-a": 5 } }),
    "endpoints[0].headers",
    "an object with the header `x-a` that is 5",
    "strings only",
  ],
  [
    endpoint({ headers: { [KEY]: {} } }),
    "endpoints[0].headers",
    "the header whose name cannot be shown",
    "strings only",
  ],
  [endpoint({ body: "x" }), "endpoints[0].body", "a string", "an object, or a function that gives one"],
  [endpoint({ body: [KEY] }), "endpoints[0].body", "an array", "an object, or a function that gives one"],
  [endpoint({ completion: "loose" }), "endpoints[0].completion", '"loose"', '"strict" or "lenient"'],
  [endpoint({ capabilities: { tools: "no" } }), "endpoints[0].capabilities.tools", "a string", "true or false"],
  [endpoint({ capabilities: { contextTokens: 0 } }), "endpoints[0].capabilities.contextTokens", "0", POSITIVE],
  [
    endpoint({ capabilities: { image: true } }),
    "endpoints[0].capabilities.image",
    "no option (true)",
    "`tools`, `json`, `vision`",
  ],
  [endpoint({ refusalCodes: "blocked" }), "endpoints[0].refusalCodes", "a string", "an array of strings"],
  [endpoint({ refusalCodes: [5] }), "endpoints[0].refusalCodes[0]", "5", "a string that is not empty"],
  [endpoint({ requestIdHeader: 5 }), "endpoints[0].requestIdHeader", "5", "a string that is not empty"],
  [
    second({ url: a.url }),
    "endpoints[1].name",
    '"a.example" (its host), which is taken',
    "a name that no other endpoint of the chain has",
  ],
  [
    client({
      endpoints: [
        { ...a, name: "x" },
        { ...b, name: "x" },
      ],
    }),
    "endpoints[1].name",
    '"x", which is taken',
    "a name that no other",
  ],
  [
    second({ protocol: "anthropic-messages" }),
    "endpoints[1].body",
    "undefined",
    'a function that writes the request for "anthropic-messages", since it comes written for "openai-chat"',
  ],
  [
    second({ protocol: "anthropic-messages", body: {} }),
    "endpoints[1].body",
    "an object",
    "a function that writes the request",
  ],
  // names
  [client({ timeout: 5_000 }), "timeout", "no option (5000), use `limits`", "`limits`, `retry`"],
  [client({ timeoutMs: 5_000 }), "timeoutMs", "use `limits`", "`limits`"],
  [client({ maxRetries: 2 }), "maxRetries", "no option (2), use `retry.maxRetries`", "`retry`"],
  [
    client({ baseURL: `https://a/?key=${KEY}` }),
    "baseURL",
    "no option (a string), use `url` of an endpoint",
    "`endpoints`",
  ],
  [endpoint({ baseURL: "https://a" }), "endpoints[0].baseURL", "use `url`", "`url`, `apiKey`"],
  [endpoint({ api_key: KEY }), "endpoints[0].api_key", "no option (a string), use `apiKey`", "`apiKey`"],
  [client({ apiKey: KEY }), "apiKey", "use `apiKey` of an endpoint", "`endpoints`"],
  [call({ finishReason: "stop" }), "finishReason", "no option (a string), use `stopReason`", "`accept`"],
  [call({ abortSignal: null }), "abortSignal", "use `signal`", "`signal`"],
  [call({ temperature: 1 }), "temperature", "no option (1), use the first argument of a call", "`label`"],
  [client({ observer: [] }), "observer", "no option (an array), use `observers`", "`observers`"],
  [client({ fallbacks: [] }), "fallbacks", "use `endpoints`", "`endpoints`"],
  [drop({ endpoints: [] }), "endpoints", "use `fallbacks`", "`primary`, `fallbacks`"],
  [client(JSON.parse('{"__proto__":{"a":1}}')), "__proto__", "no option (an object)", "`endpoints`"],
  [client({ constructor: 1 }), "constructor", "no option (1)", "`endpoints`"],
  // whole arguments
  [() => validateClientOptions(undefined as never), "options", "undefined", "an object of"],
  [() => validateClientOptions([a] as never), "options", "an array", "an object of"],
  [call("chat"), "options", "a string", "an object of"],
  [call(null), "options", "null", "an object of"],
  [call({}, "Hello"), "body", "a string", "an object: the request in the protocol of the first endpoint"],
  [call({}, [{ role: "user", content: "Hello" }]), "body", "an array", "an object: the request"],
  [() => validateCall(undefined, {}), "body", "undefined", "an object: the request"],
  // one call
  [call({ limits: { totalMs: 0 } }), "limits.totalMs", "0", POSITIVE],
  [call({ retry: { maxRetries: Number.NaN } }), "retry.maxRetries", "NaN", "a whole number from 0 up"],
  [call({ signal: {} }), "signal", "an object", "an `AbortSignal`, or null"],
  [call({ signal: new AbortController() }), "signal", "an object", "an `AbortSignal`, or null"],
  [call({ collect: 0 }), "collect", "0", "true or false"],
  [call({ label: "" }), "label", "an empty string", "a string that is not empty"],
  [call({ promptTokens: -1 }), "promptTokens", "-1", FROM_0],
  [call({ accept: "length" }), "accept", "a string", "an array of stop reasons"],
  [call({ accept: ["max_tokens"] }), "accept[0]", '"max_tokens"', '"stop" or "stop_sequence" or "tool_calls"'],
  [call({ restartOf: "id" }), "restartOf", "a string", "a turn"],
  [call({ annotations: ["x"] }), "annotations", "an array", "up to 8 strings of at most 256 characters"],
  [
    call({ annotations: Object.fromEntries([..."123456789"].map((n) => [n, n])) }),
    "annotations",
    "an object of 9",
    "up to 8 strings",
  ],
  [call({ annotations: { run: 5 } }), "annotations.run", "5", "up to 8 strings"],
  [call({ annotations: { run: "x".repeat(257) } }), "annotations.run", "a string of 257", "at most 256 characters"],
  [
    call({ headers: { Authorization: `Bearer ${KEY}` } }),
    "headers",
    "an object with the header `Authorization`",
    "no key: keys go into `apiKey` or `headers` of the endpoint",
  ],
  ...[
    "authorization",
    "x-api-key",
    "api-key",
    "x-goog-api-key",
    "proxy-authorization",
    "cookie",
    "cf-aig-authorization",
    "ocp-apim-subscription-key",
    "x-auth-token",
    "x-amz-security-token",
    "helicone-auth",
  ].map(
    (name) => [call({ headers: new Headers({ [name]: KEY }) }), "headers", `the header \`${name}\``, "no key"] as const,
  ),
  [call({ headers: { traceparent: 5 } }), "headers", "the header `traceparent` that is 5", "strings only"],
  // the drop-in
  [drop({ primary: { url: "https://a" } }), "primary.url", "no option (a string)", "`origin`"],
  [
    drop({ primary: { origin: "https://a.example/v1" } }),
    "primary.origin",
    "something else than an origin",
    'an origin such as "https://api.example.com"',
  ],
  [
    drop({ primary: { origin: ["https://a.example", "a.example"] } }),
    "primary.origin",
    "something else than an origin",
    "an origin",
  ],
  [
    drop({ primary: { origin: `https://user:${KEY}@a.example` } }),
    "primary.origin",
    "something else than an origin",
    "an origin",
  ],
  [drop({ primary: { origin: "file:///etc" } }), "primary.origin", "something else than an origin", "an origin"],
  [drop({ primary: { origin: 5 } }), "primary.origin", "5", "an origin"],
  [drop({ primary: { limits: { idleMs: 0 } } }), "primary.limits.idleMs", "0", POSITIVE],
  [drop({ fallbacks: [b] }), "primary.origin", "undefined", "so that only calls to it spend the keys of `fallbacks`"],
  [drop({ primary: { origin: [] }, fallbacks: [b] }), "primary.origin", "an array", "an origin"],
  [
    drop({ primary: { origin: "https://a.example" }, fallbacks: [{ ...b, apiKey: undefined }] }),
    "fallbacks[0].apiKey",
    "undefined",
    "is the environment variable set?",
  ],
  [
    drop({ primary: { origin: "https://a.example" }, fallbacks: [a] }),
    "fallbacks[0].name",
    '"a.example" (its host), which is taken',
    "a name that no other",
  ],
  [
    drop({ primary: { origin: "https://a.example", name: "x" }, fallbacks: [{ ...b, name: "x" }] }),
    "fallbacks[0].name",
    '"x", which is taken',
    "a name that no other",
  ],
];

function messageOf(run: () => void): string {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(TypeError);
    expect(inspect(error, { showHidden: true })).not.toContain(KEY);
    expect((error as Error).cause).toBeUndefined();
    return (error as Error).message;
  }
  return "nothing was wrong";
}

describe("a wrong option is a TypeError that names it, says what it is and what is allowed", () => {
  const rows = WRONG.map(([run, option, got, allowed]) => [option, got, allowed, run] as const);
  it.each(rows)("`%s` is %s", (option, got, allowed, run) => {
    const message = messageOf(run);
    expect(message.startsWith(`\`${option}\` is `)).toBe(true);
    const [said, offered] = message.slice(option.length + 6).split("; allowed is ");
    expect(said).toContain(got);
    expect(offered).toContain(allowed);
  });

  it("of more than 60 kinds", () => {
    expect(new Set(WRONG.map(([, option, got]) => option + got)).size).toBeGreaterThan(100);
  });
});

describe("what is right passes", () => {
  it.each([
    ["nothing but endpoints", client({})],
    [
      "fields that are undefined",
      client({ limits: undefined, retry: { maxRetries: undefined }, observers: undefined }),
    ],
    [
      "limits that are off, and functions where they may be",
      client({
        limits: { idleMs: Infinity, firstTokenMs: () => 1, lastEndpointGraceMs: 0 },
        hedge: { afterMs: () => null },
      }),
    ],
    ["switches", client({ breaker: false, retryBudget: false, hedge: false })],
    ["falsy observers", client({ observers: [false, null, undefined, "", 0, { callEnd() {} }] })],
    [
      "a clock of any class",
      client({
        clock: new (class {
          pending = 0;
          now() {
            return 0;
          }
          wallNow() {
            return 0;
          }
          after() {
            return () => {};
          }
        })(),
      }),
    ],
    ["relative addresses, as a module that also renders on a server has them", endpoint({ url: "/api/chat" })],
    ["URL objects, models in the path", endpoint({ url: new URL("https://a.example/{model}:x") })],
    ["a protocol of one's own", endpoint({ protocol: { ...openaiChat, name: "own" } })],
    ["a key on this machine", endpoint({ url: "http://127.0.0.1:8080/", apiKey: KEY })],
    ["a key in clear text that was asked for", endpoint({ url: "http://gateway/", apiKey: KEY, allowInsecure: true })],
    [
      "plain http without a key",
      endpoint({ url: "http://gateway/", headers: { "x-org": "a", authorization: undefined } }),
    ],
    ["no key at all", endpoint({})],
    ["functions of the attempt", endpoint({ apiKey: async () => KEY, headers: () => ({}), body: () => ({}) })],
    ["another protocol with a function", second({ protocol: "gemini", body: () => ({}) })],
    ["two models of one host under two names", second({ url: a.url, name: "small" })],
    ["a call without options", call(undefined)],
    [
      "a call with all",
      call({
        signal: null,
        limits: {},
        collect: false,
        annotations: { run: "1" },
        headers: { "idempotency-key": "1", traceparent: "2" },
        label: "chat",
        promptTokens: 0,
        accept: ["length"],
        restartOf: { callId: "x" },
        observers: [null],
      }),
    ],
    ["signals of any kind", call({ signal: new AbortController().signal })],
    ["a bare drop-in", drop({})],
    [
      "a drop-in with fallbacks",
      drop({ primary: { origin: ["https://a.example", "http://localhost:8080/"] }, fallbacks: [b] }),
    ],
    [
      "a fallback of another protocol, which is passed over",
      drop({ primary: { origin: "https://a.example" }, fallbacks: [{ ...b, protocol: "gemini" }] }),
    ],
  ] as [string, () => void][])("%s", (_, run) => {
    expect(run).not.toThrow();
  });
});

it("no message shows a key, wherever it was written", () => {
  const places = [
    endpoint({ apiKey: [KEY] }),
    endpoint({ key: KEY }),
    endpoint({ [KEY]: "x" }),
    endpoint({ url: KEY, apiKey: "" }),
    endpoint({ url: `ftp://a/?key=${KEY}` }),
    endpoint({ url: `https://${KEY}@a` }),
    endpoint({ url: `http://a/?key=${KEY}`, apiKey: KEY }),
    endpoint({ headers: KEY }),
    endpoint({ headers: { "x-api-key": [KEY] } }),
    endpoint({ body: KEY }),
    call({ headers: { "x-api-key": KEY } }),
    call({ headers: KEY }),
    call({ annotations: KEY }),
    call({ signal: KEY }),
    call({}, KEY),
  ];
  for (const run of places) expect(messageOf(run)).not.toBe("nothing was wrong");
});
