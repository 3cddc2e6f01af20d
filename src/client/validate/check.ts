/** How an option is checked and what is said of a wrong one: its path, what it is, what is allowed. */
import { isShowable } from "../../attempt/headers.ts";
import { hintFor } from "./hints.ts";

/** Throws if the value is not allowed at this path. */
export type Check = (value: any, path: string) => void;
/** One for every option there is. */
export type Checks<Options> = { readonly [Name in keyof Options]-?: Check };

export function wrong(path: string, got: string, allowed: string): TypeError {
  return new TypeError(`\`${path}\` is ${got}; allowed is ${allowed}`);
}

export function must(allowed: string, test: (value: any) => unknown): Check {
  return (value, path) => {
    if (!test(value)) throw wrong(path, kindOf(value), allowed);
  };
}

/** The only strings that are shown: what is meant for a word of ours is no secret. */
export function oneOf(...words: readonly string[]): Check {
  return (value, path) => {
    if (!words.includes(value)) throw wrong(path, shown(value), words.map(shown).join(" or "));
  };
}

/** An object with these options and no others. `undefined` is as if it were not there, but not for what is `required`. */
export function shape<Options>(checks: Checks<Options>, required: readonly string[] = [], orFalse = false): Check {
  const names = Object.keys(checks) as (keyof Options & string)[];
  const known = `\`${names.join("`, `")}\``;
  return (value, path) => {
    if (orFalse && value === false) return;
    if (!isPlain(value))
      throw wrong(path || "options", kindOf(value), `${orFalse ? "false, or " : ""}an object of ${known}`);
    for (const name of Object.keys(value)) {
      if (names.includes(name as keyof Options & string)) continue;
      throw wrong(within(path, name), `no option (${kindOf(value[name])})${hintFor(name, names)}`, known);
    }
    for (const name of names) {
      if (value[name] !== undefined || required.includes(name)) checks[name](value[name], within(path, name));
    }
  };
}

export function within(path: string, name: string): string {
  return `${path && `${path}.`}${isShowable(name) ? name : "…"}`;
}

export function listOf(check: Check, allowed: string): Check {
  return (value, path) => {
    if (!Array.isArray(value)) throw wrong(path, kindOf(value), allowed);
    value.forEach((entry, at) => {
      check(entry, `${path}[${at}]`);
    });
  };
}

export function isPlain(value: unknown): value is Record<string, any> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

/** What kind of thing it is and, of what has an inside, nothing of that: it may be a key or a prompt. */
export function kindOf(value: unknown): string {
  if (value === "") return "an empty string";
  if (Array.isArray(value)) return "an array";
  if (isPlain(value)) return "an object";
  return /^[sf]/.test(typeof value) ? `a ${typeof value}` : String(value);
}

export function shown(value: unknown): string {
  if (typeof value !== "string") return kindOf(value);
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
}
