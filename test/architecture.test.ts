import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";

/** Imports point down, type imports included; folders of one floor do not know each other. */
const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  wire: 1,
  timing: 1,
  policy: 1,
  protocol: 2,
  turn: 3,
  attempt: 4,
  route: 5,
  client: 6,
  stats: 7,
  otel: 7,
  testing: 7,
  operations: 7,
  convert: 7,
  profiles: 7,
  cli: 9,
};
/** Entry points: what users import, and what the command line is made of. */
const ENTRY_FLOOR = 8;

const files = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
  .map((entry) => join(entry.parentPath, entry.name));

const folderOf = (file: string) => relative("src", file).split("/").slice(0, -1)[0] ?? "";
const floorOf = (file: string) => (folderOf(file) === "" ? ENTRY_FLOOR : FLOORS[folderOf(file)]);

function importsOf(file: string, values = false): string[] {
  const text = readFileSync(file, "utf8");
  const code = values ? text.replace(/import type [^;]+;|typeof import\([^)]*\)/g, "") : text;
  return [...code.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map((match) => match[1] as string);
}

const local = (file: string) =>
  importsOf(file)
    .filter((name) => name.startsWith("."))
    .map((name) => join(dirname(file), name));

describe("the architecture", () => {
  test("every folder has its floor", () => {
    expect(files.filter((file) => floorOf(file) === undefined)).toEqual([]);
  });

  test("imports point down, and folders of one floor do not know each other", () => {
    const wrong = files.flatMap((file) =>
      local(file)
        .filter((target) => folderOf(target) !== folderOf(file))
        .filter((target) => !((floorOf(target) as number) < (floorOf(file) as number)))
        // The command line is an entry, and made of what stands above the other entries.
        .filter((target) => !(file === "src/cli.ts" && folderOf(target) === "cli"))
        .map((target) => `${file} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  test("no import goes in a circle", () => {
    const done = new Set<string>();
    const circles: string[] = [];
    const visit = (file: string, path: readonly string[]) => {
      if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
      if (done.has(file) || path.includes(file)) return;
      for (const target of local(file)) visit(target, [...path, file]);
      done.add(file);
    };
    for (const file of files) visit(file, []);
    expect(circles).toEqual([]);
  });

  test("nothing a bundler can reach imports a Node built-in", () => {
    const reachable = files.filter((file) => folderOf(file) !== "cli" && file !== "src/cli.ts");
    const wrong = reachable.flatMap((file) =>
      importsOf(file, true)
        .filter((name) => name.startsWith("node:"))
        .map((name) => `${file}: ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  test("time and chance come from parameters", () => {
    const clock = /\b(Date\.now|performance\.now|setTimeout|setInterval|setImmediate)\b/;
    const exempt = new Set(["src/base/clock.ts"]);
    const own = files.filter(
      (file) => !exempt.has(file) && !["cli", "testing"].includes(folderOf(file)) && file !== "src/cli.ts",
    );
    const code = (file: string) => readFileSync(file, "utf8").replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, "");
    expect(own.filter((file) => clock.test(code(file)))).toEqual([]);
    expect(own.filter((file) => /\bMath\.random\(/.test(code(file)))).toEqual([]);
  });

  test("files and functions stay readable", () => {
    const long = files.filter((file) => readFileSync(file, "utf8").split("\n").length > 300);
    expect(long).toEqual([]);
  });
});
