/** `npm test`: lint, build and every suite, one after the other, and the sum of what they counted as the last line. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface Count {
  passed: number;
  failed: number;
  skipped: number;
}

/** Runs a script of package.json; resolves to its exit code and its last `N passed, N failed` line, if it has one. */
function run(script: string, ...more: string[]): Promise<{ code: number; count: Count | null }> {
  console.log(`\n── npm run ${script}`);
  return new Promise((resolve) => {
    const child = spawn("npm", ["run", "--silent", script, "--", ...more], { stdio: ["ignore", "pipe", "inherit"] });
    let tail = "";
    child.stdout.on("data", (bytes: Buffer) => {
      process.stdout.write(bytes);
      tail = (tail + bytes.toString()).slice(-4096);
    });
    child.on("close", (code) => resolve({ code: code ?? 1, count: countIn(tail) }));
  });
}

function countIn(text: string): Count | null {
  const last = [...text.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/gm)].at(-1);
  return last ? { passed: Number(last[1]), failed: Number(last[2]), skipped: Number(last[3] ?? 0) } : null;
}

async function unitTests(): Promise<Count> {
  const folder = mkdtempSync(join(tmpdir(), "ttft-"));
  const file = join(folder, "vitest.json");
  const { code } = await run("test:unit", "--reporter=default", "--reporter=json", `--outputFile.json=${file}`);
  const report = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  const { numPassedTests: passed, numFailedTests, numPendingTests: skipped } = report;
  // A suite that cannot be loaded has no failed test, and fails all the same.
  return { passed, failed: Math.max(numFailedTests, code === 0 ? 0 : 1), skipped };
}

const total: Count = { passed: 0, failed: 0, skipped: 0 };
const add = (count: Count) => {
  total.passed += count.passed;
  total.failed += count.failed;
  total.skipped += count.skipped;
};

for (const script of ["lint", "build", "size"]) {
  const { code } = await run(script);
  add({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });
}
add(await unitTests());
const suites = ["test:cases", "test:corpus", "test:engines"];
// Real SDKs are a download of their own, so a plain `npm test` does without.
const required = (process.env.TTFT_REQUIRE ?? "").split(",");
if (required.includes("sdks")) suites.push("test:sdks");
else console.log("\nskipped: npm run test:sdks (set TTFT_REQUIRE=sdks to download the SDKs and run it)");

for (const script of suites) {
  const { code, count } = await run(script);
  add(count ?? { passed: 0, failed: 0, skipped: 0 });
  if (code !== 0 && !count?.failed) total.failed++;
}

console.log(`\n${total.passed} passed, ${total.failed} failed${total.skipped > 0 ? `, ${total.skipped} skipped` : ""}`);
process.exit(total.failed === 0 ? 0 : 1);
