/** `npm run size`: what users ship, minified and gzipped with every dependency, against its budget. */
import { existsSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

interface Budget {
  readonly what: string;
  readonly code: string;
  readonly maxBytes: number;
}

const kB = 1_000;

const budgets: readonly Budget[] = [
  { what: "createFetch alone", code: 'export { createFetch } from "./src/index.ts"', maxBytes: 13 * kB },
  { what: "all of ttft", code: 'export * from "./src/index.ts"', maxBytes: 16 * kB },
  { what: "the seven protocols", code: 'export { protocols } from "./src/protocol/builtins.ts"', maxBytes: 4 * kB },
  { what: "ttft/otel without the API", code: 'export * from "./src/otel.ts"', maxBytes: 3 * kB },
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

let over = 0;
for (const { what, code, maxBytes } of budgets) {
  const file = code.match(/"\.\/(.+)"/)?.[1] ?? "";
  if (!existsSync(file)) continue;
  const { minified, gzipped } = await sizeOf(code);
  const fits = gzipped <= maxBytes;
  if (!fits) over++;
  const kilo = (bytes: number) => `${(bytes / kB).toFixed(2)} kB`;
  console.log(
    `${fits ? "ok  " : "OVER"} ${what.padEnd(28)} ${kilo(minified).padStart(9)} min ${kilo(gzipped).padStart(9)} gz, at most ${kilo(maxBytes)}`,
  );
}
process.exit(over === 0 ? 0 : 1);
