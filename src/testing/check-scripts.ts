/** Wrong scripts are refused at the door, with the place, the value and what is allowed. */
import type { StopReason } from "../protocol/protocol.ts";
import { play } from "./play.ts";
import { protocolOfPath } from "./providers/choose.ts";
import type { Ending, Script, Scripts, Step } from "./script.ts";

const STOP_REASONS: readonly StopReason[] = [
  "stop",
  "stop_sequence",
  "tool_calls",
  "refusal",
  "length",
  "content_filter",
  "paused",
];
const ENDINGS: readonly Ending[] = ["cut", "reset", "half_close", "hold", "refuse"];

const isText = (value: unknown) => typeof value === "string";
const isCount = (value: unknown) => Number.isInteger(value) && (value as number) > 0 && (value as number) <= 1e6;
const isDuration = (value: unknown) => typeof value === "number" && value >= 0 && value < Infinity;
const isObject = (value: unknown) => typeof value === "object" && value !== null;

function isHeaders(value: unknown): boolean {
  if (!isObject(value) || !Object.values(value as object).every(isText)) return false;
  try {
    return new Headers(value as Record<string, string>) !== null;
  } catch {
    return false;
  }
}

/** A field's test, and what it takes in words. `?` after the name: may be left out. */
type Field = readonly [test: (value: any) => boolean, allowed: string];
const TEXT: Field = [isText, "a string"];
const DURATION: Field = [isDuration, 'a finite number of milliseconds ≥ 0 (for ever is { end: "hold" })'];
const COUNT: Field = [isCount, "a whole number from 1 to 1 000 000"];

const TOOL_CALL: Readonly<Record<string, Field>> = {
  name: [(value) => isText(value) && value !== "", "a string that is not empty"],
  arguments: [(value) => value !== undefined, "a string (sent as it is) or a JSON value"],
  "id?": TEXT,
  "pieces?": COUNT,
};

/** Each kind of step by the key that names it. */
const STEPS: Readonly<Record<string, Readonly<Record<string, Field>>>> = {
  reasoning: { reasoning: TEXT },
  toolCall: { toolCall: [isObject, "{ name, arguments, id?, pieces? }"] },
  waitMs: { waitMs: DURATION },
  keepAlive: { keepAlive: COUNT, "everyMs?": DURATION },
  done: { done: [(value) => value === true, "true"] },
  stop: { stop: [(value) => STOP_REASONS.includes(value), `one of ${STOP_REASONS.join(", ")}`] },
  error: { error: TEXT, "message?": TEXT },
  status: {
    status: [(value) => Number.isInteger(value) && value >= 200 && value <= 599, "a whole number from 200 to 599"],
    "body?": [(value) => isText(value) || isObject(value), "a string or an object"],
    "headers?": [isHeaders, "an object of valid header names and string values"],
  },
  send: { send: [(value) => isText(value) || value instanceof Uint8Array, "a string or a Uint8Array"] },
  end: { end: [(value) => ENDINGS.includes(value), `one of ${ENDINGS.join(", ")}`] },
};

/** Words from elsewhere, and what they are called here. */
const HINTS: Readonly<Record<string, string>> = {
  text: 'a bare string: "Hello"',
  content: 'a bare string: "Hello"',
  delay: "waitMs",
  delayMs: "waitMs",
  wait: "waitMs",
  ms: "waitMs",
  sleep: "waitMs",
  tool: "toolCall",
  tool_call: "toolCall",
  toolCalls: "toolCall",
  finishReason: "stop",
  stopReason: "stop",
  finish: "stop",
  close: 'end: "cut"',
  reset: 'end: "reset"',
  hold: 'end: "hold"',
  ping: "keepAlive",
  body: "status, with body",
  headers: "status, with headers",
};

function refuse(place: string, problem: string): never {
  throw new TypeError(`${place}: ${problem}`);
}

const shown = (value: unknown): string => {
  const text = typeof value === "string" || isObject(value) ? JSON.stringify(value) : String(value);
  return (text ?? String(value)).slice(0, 80);
};

/** Every request's script of every key, checked. */
export function checkScripts(scripts: Scripts): ReadonlyMap<string, readonly Script[]> {
  if (!isObject(scripts) || Array.isArray(scripts))
    refuse("scripts", `takes an object from URL prefix or path to script, got ${shown(scripts)}`);
  return new Map(Object.entries(scripts).map(([key, value]) => [key, checkEntry(key, value)]));
}

function checkEntry(key: string, value: Script | readonly Script[]): readonly Script[] {
  const place = `scripts[${JSON.stringify(key)}]`;
  if (!key.startsWith("/") && !/^https?:\/\/[^/]/i.test(key))
    refuse(place, 'a key is a URL prefix ("https://api.test") or a path ("/v1/chat/completions")');
  if (!Array.isArray(value)) refuse(place, `takes an array of steps or an array of scripts, got ${shown(value)}`);
  const entries: readonly unknown[] = value;
  const isList = entries.length > 0 && entries.every(Array.isArray);
  if (!isList && entries.some(Array.isArray)) refuse(place, "mixes steps and scripts: one array per request, or none");
  const list = (isList ? entries : [entries]) as readonly Script[];
  for (const [index, script] of list.entries()) checkScript(isList ? `${place}[${index}]` : place, script, key);
  return list;
}

function checkScript(place: string, script: Script, key: string): void {
  for (const [index, step] of script.entries()) checkStep(`${place}[${index}]`, step);
  checkOrder(place, script);
  const pathname = key.replace(/^[^/]+\/\/[^/]+/, "").replace(/[?#].*$/, "");
  if (protocolOfPath(pathname) === null) return;
  try {
    // Played once without a listener: says at the door what this protocol has no words for.
    for (const _ of play(script, { pathname, headers: {}, body: null }, 1));
  } catch (error) {
    refuse(place, (error as Error).message);
  }
}

function checkStep(place: string, step: Step): void {
  if (typeof step === "string") return;
  if (!isObject(step)) refuse(place, `a step is a string or an object, got ${shown(step)}`);
  const kind = Object.keys(STEPS).find((key) => key in step);
  const fields = STEPS[kind ?? ""];
  if (fields === undefined) {
    const hint = Object.keys(step).flatMap((key) => HINTS[key] ?? [])[0];
    const meant = hint === undefined ? "." : `; did you mean ${hint}?`;
    refuse(
      place,
      `${shown(step)} is no step${meant} A step is a string or has one of ${Object.keys(STEPS).join(", ")}`,
    );
  }
  checkFields(place, step, fields);
  if ("toolCall" in step) checkFields(`${place}.toolCall`, step.toolCall, TOOL_CALL);
}

function checkFields(place: string, value: object, fields: Readonly<Record<string, Field>>): void {
  const allowed = Object.keys(fields).map((key) => key.replace("?", ""));
  for (const key of Object.keys(value))
    if (!allowed.includes(key)) refuse(place, `"${key}" is unknown here; allowed: ${allowed.join(", ")}`);
  for (const [name, [test, takes]] of Object.entries(fields)) {
    const key = name.replace("?", "");
    const given = (value as Record<string, unknown>)[key];
    if (given === undefined && name.endsWith("?")) continue;
    if (!test(given)) refuse(place, `${key} takes ${takes}, got ${shown(given)}`);
  }
}

/** What may follow what. */
function checkOrder(place: string, script: Script): void {
  let head: "open" | "sent" | "whole" = "open";
  for (const [index, step] of script.entries()) {
    const here = `${place}[${index}]`;
    const key = typeof step === "string" ? "text" : (Object.keys(STEPS).find((name) => name in step) as string);
    if (key === "waitMs") continue;
    if (key === "status" && head !== "open") refuse(here, "status comes once, before anything that is sent");
    if (head === "whole" && key !== "send" && key !== "end")
      refuse(here, "after a status with a body only send, waitMs and end may follow");
    if (typeof step === "object" && "end" in step) {
      if (index < script.length - 1) refuse(here, "nothing may follow an end");
      if (step.end === "refuse" && head !== "open")
        refuse(here, 'nothing but waitMs may come before { end: "refuse" }');
    }
    if (head === "open")
      head = typeof step === "object" && "status" in step && step.body !== undefined ? "whole" : "sent";
  }
}
