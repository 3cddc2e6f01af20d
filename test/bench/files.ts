/** Everything that runs in a process of its own, bundled once, so that no sample pays for a loader. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const HERE = import.meta.dirname;
/** The majors that run on Node 20, and the newest. */
const SDKS = { old: join(HERE, "../sdks/node_modules"), new: join(HERE, "../runtimes/node_modules") };

/** Peers that are only there if `npm i` was run in that folder's place. */
const PEERS = { anthropic: "@anthropic-ai/sdk", ai: "ai", langchain: "@langchain/openai" };

export interface BenchFiles {
  /** By name: `child/main`, `stub/main`, `columns/ttft`, `peers/ai`, … */
  path(name: string): string;
  readonly leftOut: readonly string[];
  remove(): Promise<void>;
}

export async function buildBenchFiles(major: number): Promise<BenchFiles> {
  const sdks = major >= 22 && existsSync(SDKS.new) ? SDKS.new : SDKS.old;
  const folder = await mkdtemp(join(tmpdir(), "ttft-bench-"));
  const installed = Object.entries(PEERS).filter(([, name]) => existsSync(join(sdks, name)));
  const leftOut = Object.keys(PEERS).filter((peer) => !installed.some(([name]) => name === peer));
  const peers = installed.map(([peer]) => `peers/${peer}.mjs`);
  const own = ["child/main", "stub/main", "columns/floor", "columns/ttft", "columns/grown", "columns/openai"];
  await build({
    entryPoints: [...own.map((name) => `${name}.ts`), ...peers].map((file) => join(HERE, file)),
    ...SHARED,
    outdir: folder,
    outbase: HERE,
    splitting: true,
    nodePaths: [sdks],
    alias: { ...(sdks === SDKS.new && { openai: join(sdks, "openai") }) },
    // A CommonJS dependency asks for `require`.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  await build({
    entryPoints: { "import/ttft": join(HERE, "../../src/index.ts"), "import/parser": "eventsource-parser" },
    ...SHARED,
    outdir: folder,
  });
  return {
    path: (name) => join(folder, `${name}.mjs`),
    leftOut,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const SHARED = {
  bundle: true,
  format: "esm",
  platform: "node",
  target: "es2022",
  outExtension: { ".js": ".mjs" },
  logLevel: "error",
} as const;
