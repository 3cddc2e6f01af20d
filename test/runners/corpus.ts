/** `npm run test:corpus`: replays and cuts the recordings of the folder in `TTFT_CORPUS`, by default `test/corpus`. */
import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { ProtocolName } from "../../src/index.ts";
import { checkAll } from "./corpus/pool.ts";
import { readIndex } from "./corpus/recording.ts";
import { load, speaks } from "./library.ts";
import { Report } from "./report.ts";

const folder = resolve(process.env.TTFT_CORPUS ?? fileURLToPath(new URL("../corpus", import.meta.url)));
const report = new Report();
const index = await readIndex(folder);
if (index) await checkIndex(index);
else report.note(`no recordings: ${folder} has no INDEX.tsv (set TTFT_CORPUS)`);
report.end();

async function checkIndex(rows: NonNullable<typeof index>): Promise<void> {
  const { library } = await load();
  const protocols = new Set(rows.map(({ protocol }) => protocol));
  const missing = new Map([...protocols].map((protocol) => [protocol, lacking(library, protocol)]));
  for (const { file, protocol } of rows) {
    const what = missing.get(protocol);
    if (what) report.unsupported(file, what);
  }
  const files = rows.filter(({ protocol }) => !missing.get(protocol)).map(({ file }) => file);
  const sizes = new Map(
    files.map((file) => [file, statSync(join(folder, file), { throwIfNoEntry: false })?.size ?? 0]),
  );
  let replays = 0;
  let cuts = 0;
  await checkAll(
    folder,
    files.sort((a, b) => costOf(sizes.get(b)) - costOf(sizes.get(a))),
    (file, checked) => {
      replays += checked.replays;
      cuts += checked.cuts;
      if (checked.problems.length) report.failed(file, checked.problems);
      else report.passed();
    },
  );
  report.note(`${files.length} recordings: ${replays} replays, ${cuts} cuts`);
}

function lacking(library: Awaited<ReturnType<typeof load>>["library"], protocol: string): string | null {
  if (!library.createClient) return "createClient";
  return speaks(library, protocol as ProtocolName) ? null : `protocol ${protocol}`;
}

/** Small files are cut at every byte, large ones at some hundred places. */
function costOf(size = 0): number {
  return size <= 8192 ? size * 500 : size * 200;
}
