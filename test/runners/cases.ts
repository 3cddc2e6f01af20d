/** `npm run test:cases`: plays the cases of the folder in `TTFT_CASES`, by default the committed `test/cases`. */
import { fileURLToPath } from "node:url";
import { readCases, runCase, warmUp } from "./case-runner.ts";
import { load } from "./library.ts";
import { Report } from "./report.ts";

const folder = process.env.TTFT_CASES ?? fileURLToPath(new URL("../cases", import.meta.url));
const report = new Report();
const loaded = await load();
await warmUp(loaded);
for (const { name, script, problems } of await readCases(folder)) {
  if (script) await runCase(script, loaded, report);
  else report.failed(name, problems);
}
report.end();
