/** Which command does what: the command line without the process around it. */
import type { Io, Stop } from "./io.ts";
import { measureCommand } from "./measure/command.ts";
import { MEASURE_USAGE } from "./measure/options.ts";
import { percentilesCommand } from "./percentiles/command.ts";
import { PERCENTILES_USAGE } from "./percentiles/options.ts";
import { STUB_USAGE, stubCommand } from "./stub.ts";
import { UsageError } from "./usage-error.ts";

interface Command {
  readonly usage: string;
  run(argv: readonly string[], io: Io, stop: Stop): Promise<number>;
}

const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ["measure", { usage: MEASURE_USAGE, run: measureCommand }],
  ["percentiles", { usage: PERCENTILES_USAGE, run: (argv, io) => percentilesCommand(argv, io) }],
  ["stub", { usage: STUB_USAGE, run: stubCommand }],
]);

const HELP = new Set(["help", "--help", "-h"]);

/** Resolves to the exit code: 0 success, 1 something did not end as it should, 2 the command line is wrong. */
export async function commandLine(args: readonly string[], io: Io, stop: Stop): Promise<number> {
  const [name = "help", ...argv] = args;
  if (HELP.has(name)) return told([...COMMANDS.values()], io);
  const command = COMMANDS.get(name);
  if (!command) {
    io.err(`there is no command ${JSON.stringify(name)}; there are ${[...COMMANDS.keys()].join(", ")}`);
    return 2;
  }
  if (argv.includes("--help") || argv.includes("-h")) return told([command], io);
  try {
    return await command.run(argv, io, stop);
  } catch (error) {
    // The library says what is wrong with an option as a `TypeError`.
    if (!(error instanceof UsageError || error instanceof TypeError)) throw error;
    io.err(error.message);
    return 2;
  }
}

function told(commands: readonly Command[], io: Io): number {
  io.out(commands.map(({ usage }) => usage).join("\n\n"));
  return 0;
}
