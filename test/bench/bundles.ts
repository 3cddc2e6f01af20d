/** What an import costs a browser: bundled with all it needs, minified and gzipped. */
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export interface Bundle {
  readonly minifiedBytes: number;
  readonly gzippedBytes: number;
}

/** `code` imports what is measured, as seen from `folder`. */
export async function bundleOf(code: string, folder: string, nodePaths: string[] = []): Promise<Bundle> {
  const result = await build({
    stdin: { contents: code, resolveDir: folder, loader: "ts" },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: "es2022",
    // Some SDKs name Node's own modules behind a condition that no page meets.
    external: ["@opentelemetry/api", "node:*"],
    nodePaths,
    logLevel: "error",
  });
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  return { minifiedBytes: bytes.byteLength, gzippedBytes: gzipSync(bytes, { level: 9 }).byteLength };
}
