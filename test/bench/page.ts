/** Puts a run's tables into `docs/performance.md`, in place of those of the same major of Node; the rest is prose. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PAGE = join(import.meta.dirname, "../../docs/performance.md");

export async function writePerformancePage(report: string): Promise<void> {
  const major = /^## Node (\d+)/.exec(report)?.[1];
  const [begin, end] = [`<!-- bench ${major} -->`, `<!-- end of bench ${major} -->`];
  const page = await readFile(PAGE, "utf8");
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for Node ${major}: ${begin} … ${end}`);
  await writeFile(PAGE, `${page.slice(0, from + begin.length)}\n${report}\n${page.slice(to)}`);
}
