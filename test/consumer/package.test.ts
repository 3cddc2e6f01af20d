/** The packed package as its users have it: installed by npm, loaded in both formats, compiled against. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Consumer, createConsumer, run } from "../runners/packaging/consumer.ts";
import { complaints, missingFor, programs } from "./programs.ts";

let consumer: Consumer;
beforeAll(async () => {
  consumer = await createConsumer();
}, 600_000);
afterAll(() => consumer?.remove());

const CALL = `
  const fetch = scriptedFetch({ "https://a.test": [{ error: "overloaded_error" }], "https://b.test": ["Hello", " world"] });
  const endpoints = ["a", "b"].map((name) => ({ name, protocol: "openai-chat", url: "https://" + name + ".test/v1/chat/completions" }));
  const turn = await createClient({ fetch, endpoints }).turn({ messages: [] });
  console.log(turn.endpoint, turn.text);
`;

describe("installed by npm into an empty project", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "installed-"));
    await writeFile(join(folder, "package.json"), '{ "name": "empty", "private": true }');
    const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    const installed = await run("npm", ["install", ...flags, consumer.tarball], folder);
    if (!installed.ok) throw new Error(installed.output);
  }, 300_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  async function runs(name: string, code: string) {
    await writeFile(join(folder, name), code);
    return run(process.execPath, [name], folder);
  }

  test("it makes a call as an ES module", async () => {
    const imports = 'import { createClient } from "ttft";\nimport { scriptedFetch } from "ttft/testing";';
    expect(await runs("call.mjs", imports + CALL)).toEqual({ ok: true, output: "b Hello world" });
  });

  test("it makes a call as CommonJS", async () => {
    const imports = 'const { createClient } = require("ttft"), { scriptedFetch } = require("ttft/testing");';
    const code = `${imports}\n(async () => {${CALL}})();`;
    expect(await runs("call.cjs", code)).toEqual({ ok: true, output: "b Hello world" });
  });

  test("an error of one format is known to the other", async () => {
    const code = `
      import * as esm from "ttft";
      import { createRequire } from "node:module";
      const cjs = createRequire(import.meta.url)("ttft");
      const error = new cjs.CallError("aborted", { message: "stopped" });
      console.log(error instanceof esm.CallError, error instanceof esm.IncompleteTurnError, esm.isTtftError(error));
      console.log(esm.CallError === cjs.CallError);`;
    expect(await runs("formats.mjs", code)).toEqual({ ok: true, output: "true false true\nfalse" });
  });

  test("its command runs, and depends on nothing but what is declared", async () => {
    const { ok, output } = await run(join(folder, "node_modules/.bin/ttft"), ["--help"], folder);
    expect({ ok, output }).toEqual({ ok: true, output: expect.stringContaining("ttft measure") });
  });
});

describe("programs compile against it", () => {
  const ready = programs.filter((name) => missingFor(name).length === 0);
  let said: Map<string, string[]>;
  beforeAll(() => {
    said = complaints(consumer, ready);
  }, 300_000);

  for (const name of programs) {
    const missing = missingFor(name);
    const title = missing.length > 0 ? `${name} (not here: ${missing.join(", ")})` : name;
    test.skipIf(missing.length > 0)(title, () => expect(said.get(name)).toEqual([]));
  }
});
