/** The checks on the packed package, each under the name that a case gives it. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binary, type Consumer, type Ran, root, run } from "./consumer.ts";
import { valuesDeclared } from "./declared.ts";

/** `null` if the check passes, else what is wrong. */
type Check = (consumer: Consumer) => Promise<string | null>;

const verdict = ({ ok, output }: Ran) => (ok ? null : output.slice(-1500) || "it failed without a word");

/** Everything that `exports` names and that is a module, as an importer writes it. */
const entriesOf = ({ manifest }: Consumer) =>
  Object.keys(manifest.exports)
    .filter((key) => !key.endsWith(".json") && !key.includes("*"))
    .map((key) => manifest.name + key.slice(1));

/** Named exports of an entry as its declarations promise them. */
const promised = (loader: string) => `
  const expected = JSON.parse(process.argv[2]);
  const load = async (entry) => ${loader};
  const wrong = [];
  for (const [entry, names] of Object.entries(expected)) {
    const loaded = await load(entry);
    for (const name of names) if (loaded[name] === undefined) wrong.push(entry + ": " + name);
    if (Object.keys(loaded).length === 0) wrong.push(entry + " has no export");
  }
  if (wrong.length) { console.error("missing: " + wrong.join(", ")); process.exit(1); }
`;

async function loads(consumer: Consumer, loader: string): Promise<string | null> {
  const file = join(consumer.folder, "load.mjs");
  await writeFile(
    file,
    `import { createRequire } from "node:module";\nconst require = createRequire(import.meta.url);\n${promised(loader)}`,
  );
  const names = entriesOf(consumer).map((entry) => [entry, valuesDeclared(consumer, entry)] as const);
  return verdict(await run(process.execPath, [file, JSON.stringify(Object.fromEntries(names))], consumer.folder));
}

interface Consuming {
  readonly module: string;
  readonly moduleResolution: string;
  readonly lib: readonly string[];
  readonly types: readonly string[];
  /** Outside the project, so that declarations cannot ask for what was not named. */
  readonly typeRoots?: readonly string[];
  readonly extension?: "ts" | "mts" | "cts";
}

/** Names every entry, so that all declarations are read. */
const program = (entries: readonly string[]) =>
  entries
    .map((entry, nth) => `import * as entry${nth} from "${entry}";\nexport const kept${nth}: object = entry${nth};\n`)
    .join("");

const typechecks =
  (name: string, consuming: Consuming, entries = entriesOf): Check =>
  async (consumer) => {
    const source = `${name}.${consuming.extension ?? "ts"}`;
    await writeFile(join(consumer.folder, source), program(entries(consumer)));
    const { extension: _, ...options } = consuming;
    const compilerOptions = {
      ...options,
      target: "ES2022",
      strict: true,
      skipLibCheck: false,
      noEmit: true,
      declarationMap: false,
    };
    const project = join(consumer.folder, `${name}.json`);
    await writeFile(project, JSON.stringify({ compilerOptions, files: [source] }));
    return verdict(await run(binary("tsc"), ["-p", project], consumer.folder));
  };

const dom = { lib: ["ES2022", "DOM", "DOM.Iterable"], types: [] };
const node = { lib: ["ES2022"], types: ["node"], typeRoots: [join(root, "node_modules", "@types")] };
const nodenext = { module: "NodeNext", moduleResolution: "NodeNext" };
const bundler = { module: "ESNext", moduleResolution: "Bundler" };

/** Runs several checks that go under one name. */
const all =
  (...checks: readonly Check[]): Check =>
  async (consumer) => {
    const found: string[] = [];
    for (const check of checks) found.push((await check(consumer)) ?? "");
    return found.filter(Boolean).join("\n") || null;
  };

async function filesOf({ installed }: Consumer, pattern: RegExp): Promise<string[]> {
  const names = await readdir(installed, { recursive: true });
  return names.filter((name) => pattern.test(name) && !name.startsWith("node_modules"));
}

export const checks: Readonly<Record<string, Check>> = {
  "esm-import": (consumer) => loads(consumer, "import(entry)"),
  "cjs-require": (consumer) => loads(consumer, "require(entry)"),
  attw: async ({ tarball, folder }) =>
    verdict(await run(binary("attw"), [tarball, "--profile", "node16", "--no-color"], folder)),
  publint: async ({ installed, folder }) =>
    verdict(await run(binary("publint"), [installed, "--strict", "--pack", "false"], folder)),
  "tsc-nodenext": all(
    typechecks("nodenext-esm", { ...nodenext, ...node, extension: "mts" }),
    typechecks("nodenext-cjs", { ...nodenext, ...node, extension: "cts" }),
  ),
  "tsc-bundler": typechecks("bundler", { ...bundler, ...dom }),
  "tsc-skipLibCheck-false-dom": typechecks("only-dom", { ...bundler, ...dom }),
  "tsc-skipLibCheck-false-node": typechecks("only-node", { ...nodenext, ...node, extension: "mts" }),
  "no-src-in-dts": async (consumer) => {
    const files = await filesOf(consumer, /\.d\.[cm]?ts$/);
    if (files.length === 0) return "there are no declarations";
    const texts = await Promise.all(files.map((name) => readFile(join(consumer.installed, name), "utf8")));
    const wrong = files.filter((_, nth) => /["'](?:\.{1,2}\/)+src\/|["']src\//.test(texts[nth] ?? ""));
    return wrong.length ? `paths into src in ${wrong.join(", ")}` : null;
  },
  "no-ts-sources-resolvable": async (consumer) => {
    const wrong = (await filesOf(consumer, /\.[cm]?tsx?$/)).filter((name) => !/\.d\.[cm]?ts$/.test(name));
    return wrong.length ? `TypeScript sources are shipped: ${wrong.join(", ")}` : null;
  },
};
