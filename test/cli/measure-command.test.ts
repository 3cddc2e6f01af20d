import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { commandLine } from "../../src/cli/command-line.ts";
import { createStub, type Script, type Stub } from "../../src/testing.ts";
import { never, told } from "./measure-io.ts";

const CANARY = "sk-canary-0123456789abcdef";
const CHAT = "/v1/chat/completions";
const stubs: Stub[] = [];
const folder = mkdtempSync(join(tmpdir(), "measure-"));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(async () => {
  await Promise.all(stubs.splice(0).map((stub) => stub.close()));
});

async function flagsFor(script: Script | readonly Script[]): Promise<string[]> {
  const stub = await createStub({ [CHAT]: script });
  stubs.push(stub);
  return ["measure", "--url", stub.url(CHAT), "--protocol", "openai-chat", "--model", "m"];
}

describe("ttft measure", () => {
  test("without arguments shows five calls, each with its ending, and succeeds", async () => {
    const io = told();
    expect(await commandLine(["measure"], io, never)).toBe(0);
    const endings = io.lines.filter((line) => /: \w+( \(\w+\))?$/.test(line)).map((line) => line.split(": ").at(-1));
    const expected = [
      "complete (stop)",
      "complete (stop)",
      "complete (stop)",
      "closed_before_terminal",
      "connection_lost",
    ];
    expect(endings).toEqual(expected);
    expect(io.lines.at(-1)).toBe("5 of 5 calls ended as they should");
    expect(io.all).toContain("overloaded_error");
  });

  test("measures an endpoint and ends with a table", async () => {
    const io = told();
    const flags = await flagsFor([{ waitMs: 5 }, "Hello"]);
    expect(await commandLine([...flags, "-n", "6", "--concurrency", "3"], io, never)).toBe(0);
    expect(io.lines).toContain("  6 calls: complete 6");
    expect(io.shown).toEqual(expect.arrayContaining(["0 of 6 calls", "3 of 6 calls", "6 of 6 calls", ""]));
  });

  test("fails if one call does, and names its ending", async () => {
    const io = told();
    const flags = await flagsFor([["Hello"], ["Hel", { end: "cut" }]]);
    expect(await commandLine([...flags, "-n", "2"], io, never)).toBe(1);
    expect(io.lines).toContain("  2 calls: complete 1, closed_before_terminal 1");
  });

  test("a key goes to its endpoint and nowhere else", async () => {
    const io = told({ MY_KEY: CANARY });
    const flags = await flagsFor([{ status: 401 }, { error: "authentication_error", message: `wrong key ${CANARY}` }]);
    const files = { jsonl: join(folder, "key.jsonl"), html: join(folder, "key.html") };
    const more = [
      "--key-env",
      "MY_KEY",
      "--header",
      `x-second: ${CANARY}-2`,
      "--jsonl",
      files.jsonl,
      "--html",
      files.html,
    ];
    expect(await commandLine([...flags, ...more], io, never)).toBe(1);
    expect(await commandLine([...flags, ...more, "--json"], io, never)).toBe(1);
    expect(stubs[0]?.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${CANARY}`,
      "x-second": `${CANARY}-2`,
    });
    expect(io.all).toContain("http_error");
    for (const text of [io.all, readFileSync(files.jsonl, "utf8"), readFileSync(files.html, "utf8")]) {
      expect(text).not.toContain(CANARY);
    }
  });

  test("gives JSON, lines and a page that say the same", async () => {
    const io = told();
    const [jsonl, html] = [join(folder, "a.jsonl"), join(folder, "a.html")];
    const flags = await flagsFor(["Hello"]);
    expect(await commandLine([...flags, "-n", "3", "--json", "--jsonl", jsonl, "--html", html], io, never)).toBe(0);
    const result = JSON.parse(io.lines.join("\n"));
    expect(result).toMatchObject({ format: "ttft-measure/1", calls: 3, endings: { complete: 3 } });
    const lines = readFileSync(jsonl, "utf8").trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(result.records);
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>/i);
  });

  test("a request of one's own is sent as it is", async () => {
    const body = join(folder, "body.json");
    writeFileSync(body, JSON.stringify({ messages: [{ role: "user", content: "mine" }], temperature: 0 }));
    const flags = await flagsFor(["Hello"]);
    expect(await commandLine([...flags, "--body", body], told(), never)).toBe(0);
    expect(stubs[0]?.requests[0]?.body).toMatchObject({
      messages: [{ content: "mine" }],
      temperature: 0,
      stream: true,
    });
  });

  test("stopped, it shows what it has and fails", async () => {
    const io = told();
    const controller = new AbortController();
    const flags = await flagsFor([["Hello"], [{ end: "hold" }]]);
    const running = commandLine([...flags, "-n", "5"], io, () => controller.signal);
    await expect.poll(() => stubs[0]?.requests.length).toBe(2);
    controller.abort();
    expect(await running).toBe(1);
    expect(io.lines).toContain("  2 calls: complete 1, aborted 1");
  });

  test("an endpoint that cannot be is told as the library tells it", async () => {
    const io = told({ TTFT_API_KEY: CANARY });
    expect(await commandLine(["measure", "--url", "ftp://a.test", "--protocol", "openai-chat"], io, never)).toBe(2);
    expect(io.complaints.join()).toContain("endpoints[0].url");
    expect(io.all).not.toContain(CANARY);
  });

  test("a file that cannot be written is said after the result", async () => {
    const io = told();
    const flags = await flagsFor(["Hello"]);
    expect(await commandLine([...flags, "--jsonl", join(folder, "no/such/folder")], io, never)).toBe(2);
    expect(io.complaints.join()).toContain("cannot be written");
  });
});

describe("the command line", () => {
  test.each([[[]], [["help"]], [["--help"]], [["-h"]]])("%j tells of every command", async (argv) => {
    const io = told();
    expect(await commandLine(argv, io, never)).toBe(0);
    for (const name of ["measure", "percentiles", "stub"]) expect(io.all).toContain(`ttft ${name}`);
  });

  test("--help after a command tells of that command alone", async () => {
    const io = told();
    expect(await commandLine(["stub", "--help"], io, never)).toBe(0);
    expect(io.all).not.toContain("ttft percentiles");
  });

  test("an unknown command names those that there are", async () => {
    const io = told();
    expect(await commandLine(["mesure"], io, never)).toBe(2);
    expect(io.complaints).toEqual(['there is no command "mesure"; there are measure, percentiles, stub']);
  });
});

describe("ttft stub", () => {
  test("serves until it is stopped, and names its addresses", async () => {
    const io = told();
    const controller = new AbortController();
    const scripts = join(folder, "scripts.json");
    writeFileSync(scripts, JSON.stringify({ [CHAT]: ["Hello"] }));
    const running = commandLine(["stub", "--port", "0", "--scripts", scripts], io, () => controller.signal);
    await expect.poll(() => io.lines.length).toBe(1);
    const answer = await fetch(io.lines[0] as string, { method: "POST", body: '{"stream":true}' });
    expect(await answer.text()).toContain("Hello");
    controller.abort();
    expect(await running).toBe(0);
    await expect(fetch(io.lines[0] as string)).rejects.toThrow();
  });

  test.each([
    [["--port", "many"], "port takes a whole number"],
    [["--scripts", "no/such/file"], "--scripts no/such/file cannot be read"],
    [["--scripts", "LICENSE"], "--scripts LICENSE is not JSON"],
    [["--speed", "9"], "--speed"],
  ])("%j is refused, and says why", async (argv, sentence) => {
    const io = told();
    expect(await commandLine(["stub", ...argv], io, never)).toBe(2);
    expect(io.complaints.join()).toContain(sentence);
  });

  test("a port that is taken is said", async () => {
    const stub = await createStub({ "/": ["Hello"] });
    stubs.push(stub);
    const io = told();
    const { port } = new URL(stub.url("/"));
    expect(await commandLine(["stub", "--port", port], io, never)).toBe(2);
    expect(io.complaints).toEqual([`port ${port} is taken`]);
  });
});
