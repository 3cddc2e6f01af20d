/**
 * What a command has of the process, so that tests can stand in for it: where it writes to (a terminal gets colours and a
 * progress line, a pipe does not), and the signal that stops it.
 */
import { styleText } from "node:util";

export interface Io {
  /** One line for whoever reads the result. */
  out(line: string): void;
  /** One line for whoever watches: problems and hints. */
  err(line: string): void;
  /** Replaces the line before, on a terminal only. */
  progress(line: string): void;
  readonly columns: number;
  paint(style: Style, text: string): string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Asked for by commands that end tidily when somebody stops them; the others just end. */
export type Stop = () => AbortSignal;

export type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** `NO_COLOR` is honoured (no-color.org). */
export function terminalIo({ stdout, stderr, env }: typeof process): Io {
  const coloured = stdout.isTTY === true && !env.NO_COLOR;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write("\r\u001b[K");
    shown = false;
  };
  return {
    out(line) {
      clear();
      stdout.write(`${line}\n`);
    },
    err(line) {
      clear();
      stderr.write(`${line}\n`);
    },
    progress(line) {
      if (stderr.isTTY !== true) return;
      clear();
      stderr.write(line);
      shown = line !== "";
    },
    columns: Math.min(110, Math.max(60, stdout.columns ?? 96)),
    paint: (style, text) => (coloured ? styleText(style, text) : text),
    env,
  };
}
