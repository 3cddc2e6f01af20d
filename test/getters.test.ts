import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";

/** Folders whose objects are made per call; the rest makes a few per process. */
const PER_CALL = ["base", "wire", "timing", "policy", "protocol", "turn", "attempt", "route", "client"];

const files = PER_CALL.flatMap((folder) =>
  readdirSync(join("src", folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name)),
);

function gettersInLiterals(name: string, text: string): string[] {
  const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isAccessor(node) && ts.isObjectLiteralExpression(node.parent)) {
      found.push(`${name}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

// Each such object gets a hidden class of its own, which keeps alive whatever the getter closes over: a whole call
// survived every young collection, and the code that read the property was never fast.
test("no object literal that is made per call has a getter", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(files.flatMap((file) => gettersInLiterals(file, readFileSync(file, "utf8")))).toEqual([]);
  expect(gettersInLiterals("a.ts", "const a = {\n  get b() { return 1; } };")).toEqual(["a.ts:2"]);
});
