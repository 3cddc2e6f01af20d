/** What the process shows of a run: rejections nobody handled, exceptions nobody caught, warnings. */

export interface ProcessCounts {
  readonly unhandledRejections: number;
  readonly uncaught: number;
  readonly warnings: number;
}

type Stage = "unhandledRejection" | "uncaughtException" | "warning";
const seen: Record<Stage, string[]> = { unhandledRejection: [], uncaughtException: [], warning: [] };
let watching = false;

/** Once per process: from here on nothing of this kind ends it. */
function watch(): void {
  if (watching) return;
  watching = true;
  process.on("unhandledRejection", (reason) => seen.unhandledRejection.push(String(reason)));
  process.on("uncaughtException", (error) => seen.uncaughtException.push(String(error)));
  process.on("warning", (warning) => seen.warning.push(`${warning.name}: ${warning.message}`));
}

/** Starts to count; the function returned says what came since. */
export function startWatch(): () => ProcessCounts & { readonly details: readonly string[] } {
  watch();
  for (const list of Object.values(seen)) list.length = 0;
  return () => ({
    unhandledRejections: seen.unhandledRejection.length,
    uncaught: seen.uncaughtException.length,
    warnings: seen.warning.length,
    details: Object.values(seen).flat(),
  });
}
