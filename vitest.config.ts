import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["**/node_modules/**", "test/corpus/**", "test/runtimes/**", "test/sdks/**"],
    typecheck: { enabled: true, include: ["test/**/*.test-d.ts"] },
    testTimeout: 20_000,
  },
});
