/** `ttft stub`: the embedded provider as a server of its own, for a browser, a gateway or an SDK to talk to. */
import { parseArgs } from "node:util";
import { createStub, type Scripts, type Stub } from "../testing.ts";
import type { Io, Stop } from "./io.ts";
import { jsonFile } from "./json-file.ts";
import { SCRIPTS } from "./measure/scenarios.ts";
import { UsageError } from "./usage-error.ts";

export const STUB_USAGE = `ttft stub [--port 8787] [--scripts FILE] [--chunk-bytes N]

  a scripted provider on this machine, until it is stopped; prints its addresses
  --scripts FILE     JSON: path prefix → script (see docs/testing.md); without it the scenarios of \`ttft measure\`
  --chunk-bytes N    every write is cut into chunks of N bytes`;

const DEFAULT_PORT = 8787;

export async function stubCommand(argv: readonly string[], io: Io, stop: Stop): Promise<number> {
  const text = { type: "string" } as const;
  const { values } = parseArgs({ args: [...argv], options: { port: text, scripts: text, "chunk-bytes": text } });
  const scripts = values.scripts === undefined ? SCRIPTS : (jsonFile("--scripts", values.scripts) as Scripts);
  const chunkBytes = values["chunk-bytes"] === undefined ? undefined : Number(values["chunk-bytes"]);
  const stub = await started(scripts, Number(values.port ?? DEFAULT_PORT), chunkBytes);
  for (const prefix of Object.keys(scripts)) io.out(stub.url(prefix));
  io.err("listening on this machine only; stop with Ctrl-C");
  await aborted(stop());
  await stub.close();
  return 0;
}

async function started(scripts: Scripts, port: number, chunkBytes: number | undefined): Promise<Stub> {
  try {
    return await createStub(scripts, { port, chunkBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") throw new UsageError(`port ${port} is taken`);
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
