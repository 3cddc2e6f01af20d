/** What an upstream does in each row of the table, and what the code of a user must then see over `createFetch`. */
import type { Scripts } from "ttft/testing";

export type Sight =
  /** The whole answer and no error. */
  | "whole"
  /** The tool ran once, with the arguments that the model wrote. */
  | "tool ran"
  /** An error that is ours, or leads to ours. */
  | "our error"
  /** An error, be it ours or the SDK's own. */
  | "error"
  /** Whatever an abort or a `break` looks like in this SDK. */
  | "left";

export interface Scenario {
  readonly name: string;
  readonly a: Scripts[string];
  /** A second endpoint, for `createFetch` only: no SDK knows one. */
  readonly b?: Scripts[string];
  /** Only B can give the answer; else B must not be asked. */
  readonly fromB?: boolean;
  readonly wantsTool?: boolean;
  /** What the user does once text is there. */
  readonly leaves?: "abort" | "break";
  readonly expected: Sight;
  /** As `findTtftError` must tell it. */
  readonly code?: string;
  /** An SDK may do as it was told and wait: that is no hang. */
  readonly waits?: boolean;
  /** Requests that our policy allows at A. */
  readonly most: number;
}

export const TEXT = "Hello from the model";
const WORDS = ["Hello", " from", " the", " model"];
const HALF = WORDS.slice(0, 2);
export const ARGUMENTS = { city: "Paris" };
const call = { name: "weather", arguments: ARGUMENTS, id: "call_1", pieces: 3 };
const cutCall = { ...call, arguments: '{"city":"Par' };
const AFTER_OUTPUT = 1;
/** One retry. */
const BEFORE_OUTPUT = 2;

export const SCENARIOS: readonly Scenario[] = [
  { name: "good call", a: WORDS, expected: "whole", most: 1 },
  { name: "good tool call", a: [{ toolCall: call }], wantsTool: true, expected: "tool ran", most: 1 },
  {
    name: "clean cut",
    a: [...HALF, { end: "cut" }],
    expected: "our error",
    code: "closed_before_terminal",
    most: AFTER_OUTPUT,
  },
  { name: "reset", a: [...HALF, { end: "reset" }], expected: "our error", code: "connection_lost", most: AFTER_OUTPUT },
  {
    name: "no success signal",
    a: [...WORDS, { stop: "stop" }, { end: "cut" }],
    expected: "our error",
    code: "closed_before_terminal",
    most: AFTER_OUTPUT,
  },
  {
    name: "tool call cut in its arguments",
    a: [{ toolCall: cutCall }, { end: "cut" }],
    wantsTool: true,
    expected: "our error",
    code: "closed_before_terminal",
    most: AFTER_OUTPUT,
  },
  {
    name: "tool call, then cut",
    a: [{ toolCall: call }, { end: "cut" }],
    wantsTool: true,
    expected: "our error",
    code: "closed_before_terminal",
    most: AFTER_OUTPUT,
  },
  {
    name: "error in band, first",
    a: [{ error: "overloaded_error" }],
    expected: "our error",
    code: "provider_unavailable",
    most: BEFORE_OUTPUT,
  },
  {
    name: "error in band, after output",
    a: [...HALF, { error: "overloaded_error" }],
    expected: "error",
    most: AFTER_OUTPUT,
  },
  { name: "empty 200", a: [{ end: "cut" }], expected: "our error", code: "provider_error", most: BEFORE_OUTPUT },
  {
    name: "HTML with 200",
    a: [{ status: 200, body: "<html><body>Sign in</body></html>" }],
    expected: "our error",
    code: "provider_error",
    most: 1,
  },
  {
    name: "JSON error with 200",
    a: [{ status: 200, body: { error: { type: "server_error", code: "server_error", message: "It broke" } } }],
    expected: "our error",
    code: "provider_unavailable",
    most: 1,
  },
  { name: "silence", a: [{ end: "hold" }], expected: "our error", code: "provider_timeout", most: 1 },
  {
    name: "silence after output",
    a: [...HALF, { end: "hold" }],
    expected: "our error",
    code: "timeout_idle",
    most: AFTER_OUTPUT,
  },
  {
    name: "keep-alives only",
    a: [{ keepAlive: 400, everyMs: 50 }],
    expected: "our error",
    code: "provider_timeout",
    most: 1,
  },
  {
    name: "socket held open after the end",
    a: [...WORDS, { done: true }, { end: "hold" }],
    expected: "whole",
    most: 1,
  },
  {
    name: "429 with Retry-After",
    a: [{ status: 429, headers: { "retry-after": "30" } }],
    expected: "our error",
    code: "provider_rate_limited",
    waits: true,
    most: 1,
  },
  {
    name: "overload at A, healthy B",
    a: [{ error: "overloaded_error" }],
    b: WORDS,
    fromB: true,
    expected: "whole",
    most: 1,
  },
  { name: "silence at A, healthy B", a: [{ end: "hold" }], b: WORDS, fromB: true, expected: "whole", most: 1 },
  { name: "empty 200 at A, healthy B", a: [{ end: "cut" }], b: WORDS, fromB: true, expected: "whole", most: 1 },
  {
    name: "tool from healthy B",
    a: [{ status: 503 }],
    b: [{ toolCall: call }],
    fromB: true,
    wantsTool: true,
    expected: "tool ran",
    most: 1,
  },
  { name: "abort", a: [...HALF, { end: "hold" }], leaves: "abort", expected: "left", most: 1 },
  { name: "break", a: [...HALF, { end: "hold" }], leaves: "break", expected: "left", most: 1 },
];
