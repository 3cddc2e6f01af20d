/** Copies of foreign errors that are safe to keep: runtimes put whole keys, addresses and raw bytes into theirs. */
import { redact } from "./redact.ts";

const LONGEST_MESSAGE = 200;
/** Longer than what is looked at of any message: what this cuts is never shown. */
const LONGEST_READ = 64 * 1024;
const DEEPEST = 8;
/** Over all branches: an `AggregateError` is one address of a host per entry. */
const MOST = 16;

/**
 * Name, code and message of an error and of what caused it; nothing else of it. `secrets` are the values that were
 * sent. Only the caller's own abort reason and the errors of the caller's own functions are kept as they are.
 */
export function scrubCause(error: unknown, secrets: readonly string[] = []): unknown {
  return copyOf(error, secrets, new Map(), DEEPEST) ?? null;
}

function copyOf(
  error: unknown,
  secrets: readonly string[],
  seen: Map<unknown, Error | undefined>,
  depth: number,
): Error | undefined {
  if (error === undefined || error === null) return undefined;
  if (seen.has(error)) return seen.get(error);
  if (depth === 0 || seen.size === MOST) return undefined;
  seen.set(error, undefined);
  const message = read(error, "message") ?? (typeof error === "object" ? "" : error);
  const copy = new Error(clean(message, secrets));
  seen.set(error, copy);
  const name = label(read(error, "name")) ?? "Error";
  // The stack of the copy would show our own files, and begins with a name that is not its own.
  const fields: Record<string, unknown> = { name, stack: `${name}: ${copy.message}` };
  fields.code = label(read(error, "code"));
  fields.cause = copyOf(read(error, "cause"), secrets, seen, depth - 1);
  const errors = read(error, "errors");
  if (Array.isArray(errors))
    fields.errors = errors.slice(0, MOST).flatMap((each) => copyOf(each, secrets, seen, depth - 1) ?? []);
  for (const field of Object.keys(fields)) {
    if (fields[field] !== undefined)
      Object.defineProperty(copy, field, { value: fields[field], configurable: true, writable: true });
  }
  return copy;
}

/** A property of something that may be anything, a proxy that throws included. */
function read(from: unknown, name: string): unknown {
  try {
    return (from as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}

/** Names and codes are words; anything else under those names is not repeated. */
function label(value: unknown): string | number | undefined {
  return typeof value === "number" || (typeof value === "string" && /^[\w.-]{1,64}$/.test(value)) ? value : undefined;
}

function clean(message: unknown, secrets: readonly string[]): string {
  return typeof message === "string"
    ? redact(withoutQueries(message.slice(0, LONGEST_READ)), { sentValues: secrets }, LONGEST_MESSAGE)
    : "";
}

/**
 * Addresses lose their user name, password, query and fragment. With an `@` behind the host nothing tells a password
 * that holds a `/` or `?` from a path or query that holds an `@`: of those only the scheme is left.
 */
function withoutQueries(text: string): string {
  return text.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)([^\s"'`<>()]*)/gi, (_, scheme: string, rest: string) => {
    const user = rest.lastIndexOf("@") + 1;
    const path = rest.search(/[/?#]/);
    if (path >= 0 && user > path) return `${scheme}…`;
    const query = rest.search(/[?#]/);
    return scheme + (query < 0 ? rest.slice(user) : `${rest.slice(user, query)}?…`);
  });
}
