/**
 * `npm run size`: what users ship, minified and gzipped with every dependency. Each row has a goal, and a ceiling that
 * holds the line: growing past the ceiling fails, missing the goal is said.
 */
import { bundleOf } from "./bundles.ts";

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

const kilo = (bytes: number) => `${(bytes / kB).toFixed(2)} kB`.padStart(9);

let over = 0;
for (const { what, code, goalBytes, ceilingBytes } of rows) {
  const { minifiedBytes: minified, gzippedBytes: gzipped } = await bundleOf(code, process.cwd());
  if (gzipped > ceilingBytes) over++;
  const verdict = gzipped > ceilingBytes ? "OVER THE CEILING" : gzipped > goalBytes ? "goal missed" : "goal met";
  const sizes = `${kilo(minified)} min ${kilo(gzipped)} gz, goal ${kilo(goalBytes)}, ceiling ${kilo(ceilingBytes)}`;
  console.log(`${what.padEnd(28)} ${sizes}: ${verdict}`);
}
process.exit(over === 0 ? 0 : 1);
