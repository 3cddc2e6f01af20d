/** What the pages show is TypeScript that a strict project compiles, not only code that runs. */
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { blocksOf, PAGES } from "./blocks.ts";

const ROOT = process.cwd();

/** What the compiler says of pieces of code, given by where they stand. */
function complaintsAbout(pieces: ReadonlyMap<string, string>): string[] {
  const config = ts.parseJsonConfigFileContent(
    ts.readConfigFile("tsconfig.json", ts.sys.readFile).config,
    ts.sys,
    ROOT,
  );
  const options: ts.CompilerOptions = {
    ...config.options,
    noUnusedLocals: false,
    paths: { ttft: [join(ROOT, "src/index.ts")], "ttft/*": [join(ROOT, "src/*.ts")] },
  };
  const files = new Map([...pieces].map(([place, code]) => [join(ROOT, `${place.replace(/\W/g, "-")}.ts`), code]));
  const host = ts.createCompilerHost(options);
  const { readFile, fileExists, getSourceFile } = host;
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.getSourceFile = (name, language, ...rest) => {
    const code = files.get(name);
    return code === undefined
      ? getSourceFile(name, language, ...rest)
      : ts.createSourceFile(name, `${code}\nexport {};`, language);
  };
  const program = ts.createProgram([...files.keys()], options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && files.has(file.fileName))
    .map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}

test("every block that is run is well typed", () => {
  const blocks = PAGES.flatMap(blocksOf);
  expect(complaintsAbout(new Map(blocks.map(({ place, code }) => [place, code])))).toEqual([]);
}, 60_000);

test("a block that is not is found", () => {
  const code = 'import { createClient } from "ttft";\ncreateClient({ endpoints: [], retry: 3 });';
  expect(complaintsAbout(new Map([["here", code]]))).toHaveLength(1);
}, 60_000);
