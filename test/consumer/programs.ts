/** Compiles the programs that users will write, against the packed package and the types of what else they import. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { type Consumer, root } from "../runners/packaging/consumer.ts";

const FOLDER = join(root, "test/programs");
/** Installed where they are tried out, with their types. */
const SDKS = join(root, "test/sdks/node_modules");
const SDK_TYPES = [
  ["@anthropic-ai/sdk", "index.d.mts"],
  ["@ai-sdk/openai", "dist/index.d.ts"],
  ["@langchain/openai", "dist/index.d.ts"],
] as const;

export const programs: readonly string[] = readdirSync(FOLDER).filter((name) => /\.tsx?$/.test(name));

/** What a program imports and this checkout lacks: an entry that does not exist yet, or a package not installed here. */
export function missingFor(program: string): readonly string[] {
  const text = readFileSync(join(FOLDER, program), "utf8");
  const names = [...text.matchAll(/ from "([^".][^"]*)"/g)].map(([, name]) => name as string);
  return names.filter((name) => !name.startsWith("node:") && !isThere(name));
}

function isThere(name: string): boolean {
  const entry = /^ttft(?:\/(.*))?$/.exec(name);
  if (entry) return existsSync(join(root, `src/${entry[1] ?? "index"}.ts`));
  const folders = [join(FOLDER, "node_modules"), SDKS, join(root, "node_modules")];
  return folders.some((folder) => existsSync(join(folder, name)) || existsSync(join(folder, "@types", name)));
}

/** What the compiler says, by program. */
export function complaints({ installed }: Consumer, names: readonly string[]): Map<string, string[]> {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    lib: ["lib.es2022.d.ts"],
    jsx: ts.JsxEmit.ReactJSX,
    types: ["node"],
    typeRoots: [join(root, "node_modules/@types")],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
    noEmit: true,
    paths: Object.fromEntries([
      ["ttft", [join(installed, "dist/index.d.ts")]],
      ["ttft/*", [join(installed, "dist/*.d.ts")]],
      ...SDK_TYPES.map(([name, file]) => [name, [join(SDKS, name, file)]]),
    ]),
  };
  const files = names.map((name) => join(FOLDER, name));
  const compiled = ts.createProgram(files, options);
  const said = new Map<string, string[]>(names.map((name) => [name, []]));
  for (const { file, start, messageText } of ts.getPreEmitDiagnostics(compiled)) {
    const name = names.find((known) => file?.fileName.endsWith(`/${known}`)) ?? names[0];
    const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
    said.get(name ?? "")?.push(`${line}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
  }
  return said;
}
