/** What a provider may do to a call: every ending that a script can bring about, by name. */
import type { CallOptions, ClientOptions, Endpoint } from "../../src/index.ts";
import type { Script } from "../../src/testing.ts";

export interface Answer {
  readonly name: string;
  /** One script per endpoint, in order. */
  readonly scripts: readonly (Script | readonly Script[])[];
  readonly protocol?: "openai-chat" | "anthropic-messages";
  readonly endpoint?: Partial<Endpoint>;
  readonly options?: Omit<ClientOptions, "endpoints">;
  readonly call?: CallOptions;
  readonly body?: object;
  /** The server never ends it: only a client that leaves does. */
  readonly open?: boolean;
  /** Its fault is no socket's and no script's: the base `fetch` itself plays it. */
  readonly breaks?: "body" | "headers";
}

const answer = (name: string, script: Script, more: Partial<Answer> = {}): Answer => ({
  name,
  scripts: [script],
  ...more,
});

const chunk = (delta: object, reason: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;
const pause = { waitMs: 10 };
const tools = [{ type: "function", function: { name: "weather", parameters: {} } }];

const ANSWERED: readonly Answer[] = [
  answer("complete", [pause, "Hello", pause, " world"]),
  answer("complete with a tool call", [{ toolCall: { name: "weather", arguments: { city: "Paris" }, pieces: 4 } }]),
  answer("complete as one JSON document", [{ status: 200, body: { choices: [{ message: { content: "Hi" } }] } }]),
  answer("complete, and the socket stays open", ["Hello", { done: true }, { end: "hold" }], { open: true }),
  answer("complete after a role chunk and keep-alives", ["", { keepAlive: 5, everyMs: 4 }, "Hello"]),
  answer("complete after a fallback", [{ error: "overloaded_error" }], {
    scripts: [["", pause, { error: "overloaded_error" }], ["Hello"]],
  }),
  answer("complete after two retries", [], {
    scripts: [[[{ status: 503 }], [{ end: "reset" }], ["Hello"]]],
    options: { retry: { maxRetries: 2 } },
  }),
  answer("complete after a hedge", [], {
    scripts: [
      [{ waitMs: 200 }, "late"],
      [pause, "Hello"],
    ],
    options: { hedge: { afterMs: 20 } },
  }),
  answer("length", ["Hel", { stop: "length" }]),
  answer("content_filter", ["Hel", { stop: "content_filter" }]),
  answer("paused", ["Hel", { stop: "paused" }], { protocol: "anthropic-messages" }),
];

const CUT: readonly Answer[] = [
  answer("closed_before_terminal", ["Hel", pause, { end: "cut" }]),
  answer("connection_lost", ["Hel", pause, { end: "reset" }]),
  answer("provider_error", ["Hel", pause, { error: "server_error" }]),
  answer("malformed_event", ["Hel", pause, { send: "data: {oops\n\n" }]),
  answer("too_large", ["Hel", pause, "x".repeat(4_000)], { options: { bounds: { maxEventBytes: 2_000 } } }),
  answer("abnormal_stop", [{ send: chunk({ content: "Hel" }) }, { send: `${chunk({}, "odd")}data: [DONE]\n\n` }]),
  answer("timeout_idle", ["Hel", { end: "hold" }], { options: { limits: { idleMs: 50 } }, open: true }),
  answer("timeout_stall", ["Hel", { keepAlive: 20, everyMs: 10 }, { end: "hold" }], {
    options: { limits: { stallMs: 100 } },
    open: true,
  }),
  answer("timeout_total", ["Hel", { end: "hold" }], { options: { limits: { totalMs: 70 } }, open: true }),
];

const FAILED: readonly Answer[] = [
  answer("empty", [{ status: 200 }, { end: "cut" }]),
  answer("closed before output", ["", pause, { end: "cut" }]),
  answer("reset before output", ["", pause, { end: "reset" }]),
  answer("connection_failed", [{ end: "refuse" }]),
  answer("http_error", [{ status: 401 }]),
  answer("http_error, and its body never ends", [{ status: 500 }, { send: "{" }, { end: "hold" }], { open: true }),
  answer("refused", [{ status: 402 }]),
  answer("not_a_stream", [{ status: 200, body: "<html>captive portal</html>" }]),
  answer("timeout_first_token", ["", { end: "hold" }], { options: { limits: { firstTokenMs: 60 } }, open: true }),
  answer("timeout_gate", ["", { end: "hold" }], { options: { limits: { gateMs: 60 } }, open: true }),
  answer("no headers", [{ waitMs: 300 }, { status: 200 }, "late"], { options: { limits: { firstTokenMs: 60 } } }),
  answer("an error that waits for its details", ["", { send: 'data: {"error":{}}\n\n' }, { end: "hold" }], {
    open: true,
  }),
  answer("configuration", ["never sent"], { endpoint: { headers: () => Promise.reject(new Error("no token")) } }),
  answer("no_endpoint", ["never sent"], { endpoint: { capabilities: { tools: false } }, body: { tools } }),
];

/** On any network. */
export const ANSWERS: readonly Answer[] = [...ANSWERED, ...CUT, ...FAILED];

/** What no script can say: a timer of the runtime's own fired. */
export const IN_MEMORY_ONLY: readonly Answer[] = [
  answer("transport_timeout", ["Hel", { end: "hold" }], { breaks: "body" }),
  answer("timeout_connect", [], { scripts: [["never sent"]], breaks: "headers" }),
];
