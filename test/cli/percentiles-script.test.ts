/**
 * The percentile script that people paste from a methodology page, and this command, on the same export. The document that
 * holds the script as its Python code block is named by TTFT_PERCENTILE_SCRIPT.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportRows, type Folder, folder, HEADER, runJson } from "./percentiles-fixtures.ts";

const document = process.env.TTFT_PERCENTILE_SCRIPT ?? "";
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const missing = !existsSync(document)
  ? "TTFT_PERCENTILE_SCRIPT names no file"
  : hasPython
    ? null
    : "there is no python3";

interface Line {
  readonly target: string;
  readonly band: string;
  readonly samples: number;
  readonly percentiles: readonly number[] | null;
}

function scriptIn(text: string): string {
  const script = /```python\n([\s\S]*?)```/.exec(text)?.[1];
  if (script === undefined) throw new Error("the document holds no Python code block");
  return script;
}

function linesOf(printed: string): Line[] {
  return printed
    .trim()
    .split("\n")
    .map((line) => {
      const [, target = "", band = "", samples, rest = ""] = /^(.*?) +(\S+) +n= *(\d+) +(.*)$/.exec(line) ?? [];
      const percentiles = [...rest.matchAll(/p[\d.]+= *(\d+)/g)].map(([, number]) => Number(number));
      if (percentiles.length === 0) expect(rest).toBe("too few for a tail estimate");
      return { target, band, samples: Number(samples), percentiles: percentiles.length > 0 ? percentiles : null };
    });
}

describe.skipIf(missing !== null)(`beside the script of the document (${missing ?? "found"})`, () => {
  let files: Folder;
  beforeAll(() => {
    files = folder();
  });
  afterAll(() => files.remove());

  it("there are the same groups, the same too-few lines, and percentiles within 1 %", async () => {
    const file = files.file("requests.csv", `${[HEADER, ...exportRows(40_000)].join("\n")}\n`);
    files.file("script.py", scriptIn(readFileSync(document, "utf8")));
    const theirs = linesOf(execFileSync("python3", ["script.py"], { cwd: files.path, encoding: "utf8" }));
    const { rows } = await runJson([file]);
    const ours = rows.filter(({ ttft }) => ttft.samples > 0);

    const key = (target: string, band: string, samples: number) => `${target} ${band} ${samples}`;
    expect(ours.map((row) => key(row.endpoint, row.band, row.ttft.samples)).sort()).toEqual(
      theirs.map((line) => key(line.target, line.band, line.samples)).sort(),
    );
    expect(theirs.some(({ percentiles }) => percentiles === null)).toBe(true);
    expect(theirs.filter(({ percentiles }) => percentiles !== null).length).toBeGreaterThan(8);
    for (const { target, band, percentiles } of theirs) {
      const tail = ours.find((row) => row.endpoint === target && row.band === band)?.ttft;
      if (percentiles === null) expect(tail?.note).toMatch(/^too few for a tail estimate/);
      else
        [tail?.p50Ms, tail?.p99Ms, tail?.p999Ms].forEach((ms, at) => {
          const exact = percentiles[at] as number;
          // They print whole milliseconds.
          expect(Math.abs((ms ?? Number.NaN) - exact)).toBeLessThanOrEqual(exact * 0.01 + 0.5);
        });
    }
  });
});
