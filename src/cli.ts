#!/usr/bin/env node
/** The command line: `ttft measure`, `ttft percentiles`, `ttft stub`. */
import { terminalIo } from "./cli/io.ts";
import { measureCommand } from "./cli/measure/command.ts";
import { MEASURE_USAGE, UsageError } from "./cli/measure/options.ts";
import { STUB_USAGE, stubCommand } from "./cli/stub.ts";

const io = terminalIo(process);
const stopped = new Promise<void>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
});

const [command, ...argv] = process.argv.slice(2);

async function run(): Promise<number> {
  if (command === "measure" && !argv.includes("--help")) return measureCommand(argv, io);
  if (command === "stub" && !argv.includes("--help")) return stubCommand(argv, io, stopped);
  io.out(`${MEASURE_USAGE}\n\n${STUB_USAGE}`);
  return command === undefined || command === "help" || argv.includes("--help") ? 0 : 2;
}

run().then(
  (code) => {
    process.exitCode = code;
    // A signal handler keeps no process alive; a stub's sockets would.
    if (command !== "stub") process.exit(code);
  },
  (error: unknown) => {
    const isOurs = error instanceof UsageError || error instanceof TypeError;
    io.err(isOurs ? (error as Error).message : String((error as Error)?.stack ?? error));
    process.exit(2);
  },
);
