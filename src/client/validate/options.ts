/** The table of all options but those of an endpoint: what each may be. */
import type { Bounds, GateOptions } from "../../attempt/bounds.ts";
import { entriesOf, isKeyHeader, shownHeaderName } from "../../attempt/headers.ts";
import type { BreakerOptions, FallbackOptions, RetryBudgetOptions, RetryOptions } from "../../policy/options.ts";
import type { HedgeOptions } from "../../route/hedge.ts";
import type { AttemptLimits, Limits } from "../../timing/limits.ts";
import type { CallOptions, SharedOptions } from "../options.ts";
import {
  type Check,
  type Checks,
  isFunction,
  isPlain,
  kindOf,
  listOf,
  must,
  oneOf,
  shape,
  within,
  wrong,
} from "./check.ts";

/** Units stand in the names of the options: `…Ms`, `…Bytes`. */
const ABOVE_0 = "a number above 0, or Infinity";
const isAbove0 = (value: unknown) => typeof value === "number" && value > 0;
const having =
  (...names: string[]) =>
  (value: any) =>
    value && names.every((name) => isFunction(value[name]));

export const above0 = must(ABOVE_0, isAbove0);
export const text = must("a string that is not empty", (value) => typeof value === "string" && value !== "");
export const flag = must("true or false", (value) => typeof value === "boolean");
const call = must("a function", isFunction);
const asked = must(`${ABOVE_0}, or a function`, (value) => isFunction(value) || isAbove0(value));
const from0 = must("a number from 0 up", (value) => typeof value === "number" && value >= 0);
const share = must("a number above 0, up to 1", (value) => isAbove0(value) && value <= 1);
const whole = (least: number) =>
  must(`a whole number from ${least} up`, (value) => value >= least && (Number.isInteger(value) || value === Infinity));
const count = whole(0);
const some = whole(1);

export const attemptLimits: Checks<AttemptLimits> = {
  connectMs: above0,
  firstTokenMs: asked,
  idleMs: above0,
  stallMs: above0,
};

/** Of a client, of `createFetch` and of one call. */
const everywhere = {
  limits: shape<Limits>({
    ...attemptLimits,
    gateMs: above0,
    totalMs: above0,
    lastEndpointGraceMs: from0,
    consumerMs: above0,
    minAttemptMs: from0,
  }),
  retry: shape<RetryOptions>({
    maxRetries: count,
    beforeFallback: count,
    baseDelayMs: from0,
    maxDelayMs: from0,
    maxAttempts: some,
    maxRetryAfterMs: from0,
  }),
  fallback: shape<FallbackOptions>({ maxFallbacks: count }),
  hedge: shape<HedgeOptions>({ afterMs: asked }, ["afterMs"], true),
  gate: shape<GateOptions>({ opensOn: oneOf("output", "content", "headers"), maxBytes: above0 }),
  observers: listOf(
    must("an observer, or a falsy value", (value) => !value || typeof value === "object"),
    "an array of observers; falsy entries are skipped",
  ),
};

export const sharedOptions: Checks<SharedOptions> = {
  ...everywhere,
  breaker: shape<BreakerOptions>(
    {
      consecutiveFailures: some,
      failureRatio: share,
      minCalls: some,
      windowMs: above0,
      minSpanMs: from0,
      silentAttempts: some,
      silentForMs: from0,
      openMs: above0,
      maxOpenMs: above0,
    },
    [],
    true,
  ),
  retryBudget: shape<RetryBudgetOptions>({ ratio: from0, minPerWindow: from0, windowMs: above0 }, [], true),
  health: must("what `createHealth()` gives", having("states")),
  bounds: shape<Bounds>({ maxEventBytes: above0, maxTurnBytes: above0, maxErrorBytes: above0 }),
  policy: call,
  fetch: call,
  clock: must("an object with the functions `now`, `wallNow` and `after`", having("now", "wallNow", "after")),
  random: call,
};

const SHORT = 256;
const annotations: Check = (value, path) => {
  const allowed = `up to 8 strings of at most ${SHORT} characters, by name`;
  if (!isPlain(value)) throw wrong(path, kindOf(value), allowed);
  const entries = Object.entries(value);
  if (entries.length > 8) throw wrong(path, `an object of ${entries.length}`, allowed);
  for (const [name, note] of entries) {
    if (typeof note === "string" && note.length <= SHORT) continue;
    throw wrong(within(path, name), `${kindOf(note)}${note?.length ? ` of ${note.length}` : ""}`, allowed);
  }
};

/** Of no header the value is shown, and the name only if it can be no key. */
export function headers(value: any, path: string, keysAllowed = true): void {
  must("a `Headers` object, or an object of strings", isPlain)(value, path);
  for (const [name, content] of entriesOf(value)) {
    const held = `an object with the header ${shownHeaderName(name)}`;
    if (content === undefined) continue;
    if (typeof content !== "string") throw wrong(path, `${held} that is ${kindOf(content)}`, "strings only");
    if (keysAllowed || !isKeyHeader(name)) continue;
    throw wrong(path, held, "no key: keys go into `apiKey` or `headers` of the endpoint whose origin they are for");
  }
}

export const callOptions = shape<CallOptions>({
  ...everywhere,
  signal: must(
    "an `AbortSignal`, or null",
    (value) =>
      value === null ||
      (typeof value.aborted === "boolean" && having("addEventListener", "removeEventListener")(value)),
  ),
  collect: flag,
  annotations,
  headers: (value, path) => headers(value, path, false),
  label: text,
  promptTokens: from0,
  accept: listOf(
    oneOf("stop", "stop_sequence", "tool_calls", "refusal", "length", "content_filter", "paused"),
    "an array of stop reasons",
  ),
  restartOf: must("a turn", (value) => typeof value?.callId === "string"),
});
