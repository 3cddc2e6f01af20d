/** Node's built-ins for the kit, never by an import: a bundler that reaches `ttft/testing` must not see them. */

interface Builtins {
  readonly "node:http": typeof import("node:http");
  readonly "node:net": typeof import("node:net");
}

/** @throws Error where the runtime has none. */
export function builtin<Name extends keyof Builtins>(name: Name, wanted: string): Builtins[Name] {
  const found = globalThis.process?.getBuiltinModule?.(name) as Builtins[Name] | undefined;
  if (found !== undefined) return found;
  throw new Error(`${wanted} needs ${name} (Node ≥ 20.16, Bun or Deno); in a browser or worker use scriptedFetch`);
}
