/**
 * `npm run size`: what users ship, minified and gzipped with every dependency. Each row has a goal, and a ceiling that
 * holds the line: growing past the ceiling fails, missing the goal is said.
 */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

interface Row {
  readonly what: string;
  readonly code: string;
  readonly goalBytes: number;
  readonly ceilingBytes: number;
}

const kB = 1_000;

const rows: readonly Row[] = [
  {
    what: "createFetch alone",
    code: 'export { createFetch } from "./src/index.ts"',
    goalBytes: 13 * kB,
    ceilingBytes: 40.5 * kB,
  },
  { what: "all of ttft", code: 'export * from "./src/index.ts"', goalBytes: 16 * kB, ceilingBytes: 44.5 * kB },
  {
    what: "the seven protocols",
    code: 'export { protocols } from "./src/protocol/builtins.ts"',
    goalBytes: 4 * kB,
    ceilingBytes: 9.1 * kB,
  },
  {
    what: "ttft/otel without the API",
    code: 'export * from "./src/otel.ts"',
    goalBytes: 3 * kB,
    ceilingBytes: 5.2 * kB,
  },
];

async function sizeOf(code: string): Promise<{ minified: number; gzipped: number }> {
  const result = await build({
    stdin: { contents: code, resolveDir: process.cwd(), loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    external: ["@opentelemetry/api"],
    logLevel: "error",
  });
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  return { minified: bytes.byteLength, gzipped: gzipSync(bytes, { level: 9 }).byteLength };
}

const kilo = (bytes: number) => `${(bytes / kB).toFixed(2)} kB`.padStart(9);

let over = 0;
for (const { what, code, goalBytes, ceilingBytes } of rows) {
  const { minified, gzipped } = await sizeOf(code);
  if (gzipped > ceilingBytes) over++;
  const verdict = gzipped > ceilingBytes ? "OVER THE CEILING" : gzipped > goalBytes ? "goal missed" : "goal met";
  const sizes = `${kilo(minified)} min ${kilo(gzipped)} gz, goal ${kilo(goalBytes)}, ceiling ${kilo(ceilingBytes)}`;
  console.log(`${what.padEnd(28)} ${sizes}: ${verdict}`);
}
process.exit(over === 0 ? 0 : 1);
