import { defineConfig } from "tsup";

const dts = { compilerOptions: { ignoreDeprecations: "6.0" } };

/** One entry per `exports` key of package.json; each maps to a source file that only lists names. */
const library = ["index", "otel", "stats", "testing"];

export default defineConfig([
  {
    entry: library.map((name) => `src/${name}.ts`),
    format: ["esm", "cjs"],
    platform: "neutral",
    target: "es2022",
    splitting: true,
    treeshake: true,
    sourcemap: true,
    dts,
  },
  {
    entry: ["src/cli.ts"],
    format: ["esm"],
    platform: "node",
    target: "node20",
    sourcemap: true,
    dts: false,
  },
]);
