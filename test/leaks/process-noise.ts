/** What a process says of a promise or a listener that was forgotten. */

/** Starts to listen; the function returned stops, and gives what came. */
export function hearProcess(): () => readonly string[] {
  const heard: string[] = [];
  const rejected = (reason: unknown) => void heard.push(`unhandled rejection: ${reason}`);
  const warned = (warning: Error) => void heard.push(`warning: ${warning.name}: ${warning.message}`);
  process.on("unhandledRejection", rejected).on("warning", warned);
  return () => {
    process.off("unhandledRejection", rejected).off("warning", warned);
    return heard;
  };
}
