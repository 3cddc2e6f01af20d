/** Runs a piece of documentation as its reader would, against a scripted provider instead of a real one. */
import ts from "typescript";
import * as vitest from "vitest";
import * as ttft from "../../src/index.ts";
import * as stats from "../../src/stats.ts";
import * as testing from "../../src/testing.ts";
import type { Block } from "./blocks.ts";

type Scope = Readonly<Record<string, unknown>>;

/** Resolves to what it printed, line by line. Rejects with what it throws. */
export async function run({ code, provider }: Block, scope: Scope = {}): Promise<string[]> {
  const lines: string[] = [];
  const tests: unknown[] = [];
  const modules = new Map<string, unknown>([
    ["vitest", { ...vitest, test: (_: string, body: () => unknown) => tests.push(body()) }],
  ]);
  const all: Scope = {
    console: { log: (...values: unknown[]) => lines.push(values.join(" ")) },
    process: { env: process.env, stdout: { write: () => true } },
    load: async (name: string) => modules.get(name) ?? import(/* @vite-ignore */ name),
    ...scope,
  };
  vitest.vi.stubGlobal("fetch", testing.scriptedFetch(provider));
  // SDKs look for theirs in the environment of the process.
  for (const name of ["OPENAI_API_KEY", "GROQ_API_KEY"]) vitest.vi.stubEnv(name, "key");
  try {
    await compiled(code, Object.keys(all))(...Object.values(all));
    await Promise.all(tests);
  } finally {
    vitest.vi.unstubAllGlobals();
    vitest.vi.unstubAllEnvs();
  }
  return lines;
}

/** What an example of a doc comment takes for granted. */
export function surroundings(): Scope {
  const endpoints = [{ name: "a", protocol: "openai-chat", url: "https://a.test/v1/chat/completions" }] as const;
  return {
    ...ttft,
    ...stats,
    ...testing,
    expect: vitest.expect,
    endpoints,
    body: { messages: [] },
    client: ttft.createClient({ endpoints }),
    stats: stats.createStats(),
    render: (element: unknown) => element,
    createElement: (component: (props: object) => unknown, props: object) => component(props),
    Answer: ({ turn }: { readonly turn: ttft.Turn }) => turn.status,
  };
}

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

/** Imports become awaits, types go; a block of its own may name what the scope names. */
function compiled(code: string, names: readonly string[]): (...values: unknown[]) => Promise<void> {
  const { outputText } = ts.transpileModule(code, {
    fileName: "example.tsx",
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      jsxFactory: "createElement",
      jsx: ts.JsxEmit.React,
    },
  });
  const body = outputText
    .replace(/^import \{([^}]*)\} from ("[^"]+");/gm, (_, list: string, from: string) => {
      return `const {${list.replaceAll(" as ", ": ")}} = await load(${from});`;
    })
    .replace(/^import (\w+) from ("[^"]+");/gm, "const { default: $1 } = await load($2);")
    .replace(/^export \{\};$/gm, "");
  return new AsyncFunction(...names, `{\n${body}\n}`);
}
