/** Puts a run's tables where they are read, in place of those before; the rest of these pages is prose. */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** Each major of Node has a place of its own. */
export function writePerformancePage(report: string): Promise<void> {
  return replace("docs/performance.md", `bench ${/^## Node (\d+)/.exec(report)?.[1]}`, report);
}

export function writeReadme(summary: string): Promise<void> {
  return replace("README.md", "bench", summary);
}

async function replace(file: string, place: string, text: string): Promise<void> {
  const path = join(ROOT, file);
  const [begin, end] = [`<!-- ${place} -->`, `<!-- end of ${place} -->`];
  const page = await readFile(path, "utf8");
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${file} has no place for this: ${begin} … ${end}`);
  await writeFile(path, `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`);
}
