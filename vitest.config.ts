import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/corpus/**", "test/runtimes/**"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
    testTimeout: 20_000,
  },
});
