/** Documentation that does not hold any more fails here. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { blocksOf, docstringExamples, PAGES } from "./blocks.ts";
import { run, surroundings } from "./run.ts";

const blocks = PAGES.flatMap(blocksOf);
const examples = docstringExamples();

describe("what the pages show runs, and prints what it says", () => {
  test("there is something to run", () => {
    expect(blocks.length).toBeGreaterThanOrEqual(6);
    expect(examples.length).toBeGreaterThanOrEqual(5);
  });

  test.each(blocks)("$place", async (block) => {
    expect(await run(block)).toEqual(block.prints);
  });
});

describe("the examples of doc comments run", () => {
  test.each(examples)("$place", async (example) => {
    expect(await run(example, surroundings())).toEqual(example.prints);
  });
});

describe("an example that is wrong fails", () => {
  const block = { place: "here", provider: { "/": ["Hello"] }, prints: [] };

  test("if it names what does not exist", async () => {
    await expect(run({ ...block, code: 'import { createClint } from "ttft";\ncreateClint({});' })).rejects.toThrow();
  });

  test("if it prints something else", async () => {
    expect(await run({ ...block, code: "console.log(1 + 1);" })).toEqual(["2"]);
  });
});

describe("links between the pages lead somewhere", () => {
  test.each(PAGES)("%s", (page) => {
    const links = [...readFileSync(page, "utf8").matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(
      ([, link]) => link as string,
    );
    expect(links.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });
});
