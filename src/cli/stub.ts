/** `ttft stub`: the embedded provider as a server of its own, for a browser, a gateway or an SDK to talk to. */
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createStub, type Scripts } from "../testing.ts";
import type { Io } from "./io.ts";
import { SCRIPTS } from "./measure/scenarios.ts";

export const STUB_USAGE = `ttft stub [--port 8787] [--scripts FILE] [--chunk-bytes N]
  --scripts FILE     JSON: path prefix → script (see docs/testing.md); without it the scenarios of \`ttft measure\``;

/** Runs until the process is told to stop. */
export async function stubCommand(argv: readonly string[], io: Io, untilStopped: Promise<void>): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...argv], options: { port: text, scripts: text, "chunk-bytes": text } });
  const scripts: Scripts = values.scripts ? JSON.parse(readFileSync(values.scripts, "utf8")) : SCRIPTS;
  const chunkBytes = values["chunk-bytes"] === undefined ? undefined : Number(values["chunk-bytes"]);
  const stub = await createStub(scripts, { port: Number(values.port ?? 8787), chunkBytes });
  for (const prefix of Object.keys(scripts)) io.out(`${stub.url(prefix)}`);
  io.err("listening on this machine only; stop with Ctrl-C");
  await untilStopped;
  await stub.close();
  return 0;
}
