/** The packed package as its users have it: installed by npm, loaded in both formats, compiled against. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createStub } from "../../src/testing.ts";
import { type Consumer, createConsumer, root, run } from "../runners/packaging/consumer.ts";
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

  async function runs(name: string, code: string, env: NodeJS.ProcessEnv = {}) {
    await writeFile(join(folder, name), code);
    return run(process.execPath, [name], folder, { ...process.env, ...env });
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

  test("the example of the repository runs against it, and moves to its backup", async () => {
    const chat = "/v1/chat/completions";
    const stub = await createStub({
      [`/a${chat}`]: [{ error: "overloaded_error" }],
      [`/b${chat}`]: ["Hello", " from B"],
    });
    const source = await readFile(join(root, "examples/basic/main.ts"), "utf8");
    const { outputText } = ts.transpileModule(source, { compilerOptions: { target: 9, module: ts.ModuleKind.ESNext } });
    const env = {
      OPENAI_API_KEY: "key-of-the-user",
      OPENAI_BASE_URL: stub.url("/a/v1"),
      BACKUP_URL: stub.url(`/b${chat}`),
      BACKUP_KEY: "key-of-the-backup",
    };
    const { ok, output } = await runs("example.mjs", outputText, env);
    await stub.close();
    expect(output).toMatch(/^Hello from B\n\[backup: first token after \d+ ms/);
    expect(ok).toBe(true);
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
    const required =
      process.env.TTFT_REQUIRE?.includes("programs") && !missing.some((entry) => entry.startsWith("ttft/"));
    test.skipIf(missing.length > 0 && !required)(title, () => expect(said.get(name)).toEqual([]));
  }
});
