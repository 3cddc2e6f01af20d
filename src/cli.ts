#!/usr/bin/env node
/** The command line: `ttft measure`, `ttft percentiles`, `ttft stub`. */
import { commandLine } from "./cli/command-line.ts";
import { terminalIo } from "./cli/io.ts";

const io = terminalIo(process);

/** The first Ctrl-C asks the command to end, the second one ends it. */
function stop(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

commandLine(process.argv.slice(2), io, stop).then(
  // Connections that are kept for the next call would keep the process, too.
  (code) => process.exit(code),
  (error: unknown) => {
    io.err(String((error as Error)?.stack ?? error));
    process.exit(2);
  },
);
