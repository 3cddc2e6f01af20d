import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Programs and the examples of the documentation import the package by its name: here that is the source. */
const source = (entry: string) => fileURLToPath(new URL(`./src/${entry}.ts`, import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^ttft$/, replacement: source("index") },
      { find: /^ttft\/(\w+)$/, replacement: source("$1") },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/corpus/**", "test/runtimes/**", "test/sdks/**"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
    testTimeout: 20_000,
  },
});
