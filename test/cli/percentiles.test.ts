import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BadRowList } from "../../src/cli/percentiles/bad-rows.ts";
import { readLines } from "../../src/cli/percentiles/jsonl-lines.ts";
import { UsageError } from "../../src/cli/usage-error.ts";
import { exportRows, type Folder, folder, HEADER, run, runJson, turnLines } from "./percentiles-fixtures.ts";

let files: Folder;
beforeAll(() => {
  files = folder();
});
afterAll(() => files.remove());

const csv = (...rows: string[]) => `${[HEADER, ...rows].join("\n")}\n`;
const many = (count: number, row: string) => Array.from({ length: count }, () => row);

describe("an export", () => {
  it("is grouped by route, or model where there is none, and by prompt band", async () => {
    const rows = ["ok,5,r,m,10", "ok,5,r,other,1999", "ok,5,,m,2000", "ok,5,r,m,16000", "ok,5,r,m,64000", "ok,5,r,m,"];
    const { rows: groups } = await runJson([files.file("groups.csv", csv(...rows))]);
    expect(groups.map(({ endpoint, band, ttft }) => [endpoint, band, ttft.samples])).toEqual([
      ["m", "2k-16k", 1],
      ["r", "<2k", 3],
      ["r", "16k-64k", 1],
      ["r", ">=64k", 1],
    ]);
  });

  it("without the column prompt_tokens has prompts of unknown size", async () => {
    const { rows } = await runJson([files.file("no-tokens.csv", "model,ttft_ms,status\nm,5,ok\n")]);
    expect(rows[0]).toMatchObject({ endpoint: "m", band: "unknown", ttft: { samples: 1 } });
  });

  it("gives percentiles and limits of 200 samples and more, and says why not of fewer", async () => {
    const file = files.file(
      "few.csv",
      csv(...many(4_195, "ok,1200,chat,m,10"), ...many(15, "ok,7500,chat,m,10"), ...many(199, "ok,9,few,m,10")),
    );
    const { code, out, err } = await run([file, "--deadline", "30s"]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^chat$/m);
    expect(out).toMatch(
      /^ {2}<2k {2,}4 210 {2}1\.2\d s {2}1\.2\d s {2}1\.2\d s {2}7\.\d\d s {2,}9\.\d\d s {2,}– {2}two fit$/m,
    );
    expect(out).toContain("too few for a tail estimate: 199 samples; it takes 200");
  });

  it("counts other statuses apart, and answers that were not streamed not at all", async () => {
    const { rows } = await runJson([
      files.file("failed.csv", csv("ok,5,r,m,1", "ok,,r,m,1", "error,,r,m,1", "error,9,r,m,1", ",5,r,m,1")),
    ]);
    expect(rows[0]?.ttft.samples).toBe(1);
    expect(rows[0]?.failures).toEqual({ error: 2, "(no status)": 1 });
  });

  it("names bad rows by line and reason, never by content, and reads on", async () => {
    const bad = [
      "ok,SECRET,r,m,1",
      "ok,-5,r,m,1",
      "ok,Infinity,r,m,1",
      "ok,0x10,r,m,1",
      "ok,5,r,m,SECRET",
      "ok,5",
      'ok,5,"r',
      "ok,6,r,m,1",
    ];
    const { code, out, err } = await run([files.file("bad.csv", csv("ok,5,r,m,1", "", ...bad))]);
    expect(code).toBe(0);
    expect(out).toMatch(/<2k +1 /);
    const name = err.slice(0, err.indexOf(":"));
    expect(err.replaceAll(name, "bad.csv").split("\n")).toEqual([
      "bad.csv: 7 rows could not be used",
      "  bad.csv:4: ttft_ms is not a number of milliseconds",
      "  bad.csv:5: ttft_ms is not a number of milliseconds",
      "  bad.csv:6: ttft_ms is not a number of milliseconds",
      "  bad.csv:7: ttft_ms is not a number of milliseconds",
      "  bad.csv:8: prompt_tokens is not a number",
      "  bad.csv:9: 2 columns where the header needs 5",
      "  bad.csv:11: a quote is never closed",
    ]);
  });

  it("may have quotes, CRLF or CR, a byte order mark, more columns and another order", async () => {
    const text =
      '\ufeffid,prompt_tokens,model,route_slug,ttft_ms,status\r\n1,10,"m","a,""b""\nc",5,ok\r\n2,10,m,q"uo"te,5,ok\n3,10,m,late,5,ok\r4,10,m,late,5,ok,more';
    const { rows } = await runJson([files.file("odd.csv", text)]);
    expect(rows.map(({ endpoint, ttft }) => [endpoint, ttft.samples])).toEqual([
      ['a,"b"\nc', 1],
      ["late", 2],
      ['q"uo"te', 1],
    ]);
  });

  it.each([
    ["nothing", "", "there is no header row"],
    ["another header", "a,b\n1,2\n", "the header has neither route_slug nor model"],
    ["no TTFT", "status,model\nok,m\n", "the header lacks ttft_ms"],
    [
      "a quote that is left open for more than 1 MiB",
      `${csv()}ok,5,"${"x\n".repeat(800_000)}`,
      "a row of more than 1 MiB: is a quote left open?",
    ],
  ])("with %s is an error of that file; the others are read", async (_, content, message) => {
    const good = files.file("good.csv", csv(...many(3, "ok,5,r,m,1")));
    const broken = files.file("broken.csv", content);
    const { code, out, err } = await run([broken, good]);
    expect(code).toBe(1);
    expect(err).toContain(`${broken}: ${message}`);
    expect(out).toMatch(/<2k +3 /);
  });

  it("of names that steer a terminal does not steer it", async () => {
    const { out } = await run([files.file("ansi.csv", csv("ok,5,\u001b[2Jred\u202e,m,1", "\u001b]0;x\u0007,5,r,m,1"))]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: their absence is what is tested
    expect(out).not.toMatch(/[\u001b\u0007\u202e]/);
  });
});

describe("a log of turns", () => {
  it("is grouped by endpoint, model, label and band; attempts are counted where they were made", async () => {
    const { rows, calls } = await runJson([files.file("turns.jsonl", turnLines(2_000))]);
    expect(calls).toBe(2_000);
    expect(rows.map(({ endpoint, model, label }) => [endpoint, model, label])).toEqual([
      ["a", "gpt-5", "chat"],
      ["a", "gpt-5", "search"],
      ["b", "claude-opus-4", "chat"],
      ["b", "claude-opus-4", "search"],
    ]);
    const [chat, search, ...fallbacks] = rows;
    const cut = fallbacks.reduce((sum, { ttft }) => sum + ttft.samples, 0);
    expect(cut).toBeGreaterThan(5);
    const samples = (tail: "ttft" | "firstOutput") => (chat?.[tail].samples ?? 0) + (search?.[tail].samples ?? 0);
    expect(samples("ttft")).toBe(2_000 - cut);
    expect(samples("firstOutput")).toBe(2_000);
    expect(chat?.limits.idleMs).toBe(10_000);
  });

  it("may hold whole turns, content and all", async () => {
    const [line] = turnLines(1).split("\n");
    const { outcome: _, startedAt: __, promptBand: ___, ...turn } = JSON.parse(line ?? "");
    const whole = JSON.stringify({ ...turn, status: "complete", text: "hi", output: [] });
    const half = JSON.stringify({ ...turn, status: "incomplete", reason: "length", partialText: "h" });
    const cut = JSON.stringify({ ...turn, status: "incomplete", reason: "connection_lost", successSignal: false });
    const { rows } = await runJson([files.file("whole.jsonl", [whole, half, cut].join("\n"))]);
    expect(rows[0]).toMatchObject({ band: "unknown", ttft: { samples: 2 }, failures: { connection_lost: 1 } });
  });

  it("names bad lines, whatever they are", async () => {
    const [good] = turnLines(1).split("\n");
    const { attempts: _, ...half } = JSON.parse(good ?? "");
    const lines = [good, "", "{", "null", "[]", '"SECRET"', JSON.stringify(half), '{"__proto__":{"SECRET":1}}', good];
    const { code, err } = await run([files.file("bad.jsonl", lines.join("\n"))]);
    expect(code).toBe(0);
    expect(err).not.toContain("SECRET");
    expect(err.split("\n").map((line) => line.replace(/^.*jsonl:/, ""))).toEqual([
      " 6 rows could not be used",
      "3: the line is not JSON",
      "4: the line is not that of a turn",
      "5: the line is not that of a turn",
      "6: the line is not that of a turn",
      "7: attempts is not that of a turn",
      "8: endpoint is not that of a turn",
    ]);
  });

  it("passes over a line without end and keeps none of it", async () => {
    const bad = new BadRowList();
    const seen: unknown[] = [];
    async function* chunks() {
      yield Buffer.from('{"a":1}\n');
      const piece = Buffer.alloc(1024 * 1024, "x");
      for (let at = 0; at < 65; at++) yield piece;
      yield Buffer.from('\n{"a":2}');
    }
    await readLines(chunks(), bad, (value) => void seen.push(value));
    expect(seen).toEqual([{ a: 1 }, { a: 2 }]);
    expect(bad.first).toEqual([{ line: 2, why: "the line is longer than 64 MiB" }]);
  });
});

describe("sources", () => {
  const rows = exportRows(3_000);

  it("are files, standard input, gzipped or not, and add up", async () => {
    const whole = await runJson([files.file("whole.csv", csv(...rows))]);
    const plain = files.file("one.csv", csv(...rows.slice(0, 1_000)));
    const zipped = files.file("two.csv", gzipSync(csv(...rows.slice(1_000, 2_000))));
    const parts = await runJson([plain, zipped, "-"], [csv(...rows.slice(2_000))]);
    const { sources: _, slowest: __, ...rest } = parts;
    expect(rest).toMatchObject({ calls: whole.calls, rows: whole.rows });
    expect(parts.sources.map(({ format, rows: read }) => [format, read])).toEqual(
      many(3, "").map(() => ["csv", 1_000]),
    );
  });

  it("come in pieces of any size, also through gzip", async () => {
    const text = gzipSync(csv(...rows.slice(0, 300)));
    const bytes = Array.from(text, (byte) => Uint8Array.of(byte));
    expect((await runJson(["-"], bytes)).calls).toBe(300);
    expect((await runJson(["-"], Array.from(turnLines(3)))).calls).toBe(3);
  });

  it("may mix formats", async () => {
    const { sources } = await runJson([
      files.file("mix.csv", csv("ok,5,r,m,1")),
      files.file("mix.jsonl", turnLines(2)),
    ]);
    expect(sources.map(({ format }) => format)).toEqual(["csv", "jsonl"]);
  });

  it("that are missing, are folders or end early are named; what was read before counts", async () => {
    const zipped = gzipSync(csv(...exportRows(20_000)));
    const torn = files.file("torn.csv.gz", zipped.subarray(0, zipped.length - 500));
    const missing = `${files.path}/missing.csv`;
    const { code, out, err } = await run([missing, files.path, torn]);
    expect(code).toBe(1);
    expect(err).toContain(`${missing}: there is no such file`);
    expect(err).toContain(`${files.path}: it is a directory`);
    expect(err).toContain(`${torn}: the gzip data ends early`);
    expect(out).toContain("support-chat");
  });

  it("with nothing to measure are a failure", async () => {
    expect((await run([files.file("none.csv", csv("error,,r,m,1"))])).code).toBe(1);
  });

  it("show how far they are read", async () => {
    const file = files.file("long.csv", csv(...exportRows(120_000)));
    const { progress } = await run([file]);
    expect(progress.length).toBeGreaterThan(1);
    expect(progress.slice(0, -1).every((line) => /: \d+ [kM]B of \d+ [kM]B, \d+ %, [\d ]+ rows$/.test(line))).toBe(
      true,
    );
    expect(progress.at(-1)).toBe("");
  });
});

describe("the command line", () => {
  it.each([
    [[], "which file? - reads standard input"],
    [["-", "-"], "standard input can be read once"],
    [["a.csv", "--deadline", "soon"], "--deadline must be above 0, e.g. 30s"],
    [["a.csv", "--deadline", "0s"], "--deadline must be above 0, e.g. 30s"],
    [["a.csv", "--headroom", "0"], "--headroom must be above 0, e.g. 1.25"],
  ])("%j is refused: %s", async (argv, message) => {
    await expect(run(argv)).rejects.toThrow(new UsageError(message));
  });

  it("takes a deadline in milliseconds, seconds or minutes, and a headroom", async () => {
    const file = files.file("headroom.csv", csv(...many(2_000, "ok,2000,r,m,1")));
    expect((await runJson([file, "--deadline", "1500ms"])).deadlineMs).toBe(1_500);
    expect((await runJson([file, "--deadline", "1500"])).deadlineMs).toBe(1_500);
    expect((await runJson([file, "--deadline", "1.5m"])).deadlineMs).toBe(90_000);
    const { rows, deadlineMs } = await runJson([file, "--headroom", "3"]);
    expect(deadlineMs).toBeNull();
    expect(Math.abs((rows[0]?.limits.firstTokenMs ?? 0) / 6_000 - 1)).toBeLessThan(0.01);
  });

  it("writes the report where it is asked to", async () => {
    const html = `${files.path}/report.html`;
    const { err } = await run([files.file("report.csv", csv(...exportRows(1_000))), "--html", html]);
    expect(err).toContain(`report written to ${html}`);
    expect(readFileSync(html, "utf8")).toMatch(/^<!doctype html>/);
  });
});
