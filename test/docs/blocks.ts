/** What the documentation shows: fenced code of the pages, examples of the doc comments. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scripts } from "../../src/testing.ts";

export interface Block {
  /** `docs/limits.md:28` */
  readonly place: string;
  readonly code: string;
  /** What answers while it runs. */
  readonly provider: Scripts;
  /** What its comments say that it prints, in order. */
  readonly prints: readonly string[];
}

export const PAGES: readonly string[] = ["README.md", ...readdirSync("docs").map((name) => join("docs", name))].filter(
  (name) => name.endsWith(".md"),
);

const ANSWER: Scripts = { "/": ["Hello", " world"] };
const FENCE = /(?:<!-- provider: (.+) -->\n)?```ts run\n([\s\S]*?)```/g;

/** The blocks of a page that are marked to be run: ` ```ts run `. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(FENCE)].map(({ index, 1: provider, 2: code = "" }) => ({
    place: `${page}:${lineAt(text, index)}`,
    code,
    provider: provider ? JSON.parse(provider) : ANSWER,
    prints: printed(code),
  }));
}

const EXAMPLE = /^ \* @example\n((?: \*(?! @|\/).*\n)+)/gm;

/** Every `@example` of the sources. */
export function docstringExamples(): Block[] {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return files.flatMap((name) => {
    const text = readFileSync(join("src", name), "utf8");
    return [...text.matchAll(EXAMPLE)].map(({ index, 1: lines = "" }) => {
      const code = lines.replace(/^ \* ?/gm, "");
      return { place: `src/${name}:${lineAt(text, index)}`, code, provider: { "/": ["Hello"] }, prints: printed(code) };
    });
  });
}

function printed(code: string): string[] {
  return [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, text]) => text as string);
}

function lineAt(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
