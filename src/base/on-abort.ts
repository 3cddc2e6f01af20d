/** Listening to a caller's signal: one listener per signal, however many calls share it. */

/** Runtimes warn of a leak at the eleventh listener, and a server may share one signal among all its calls. */
const groups = new WeakMap<AbortSignal, Group>();

class Group {
  readonly runs = new Set<() => void>();
  readonly runAll = (): void => {
    for (const run of [...this.runs]) run();
  };
}

/** Returns the function that stops listening. `run` must not throw, and is a function of its own for each listener. */
export function onAbort(signal: AbortSignal, run: () => void): () => void {
  const group = groups.get(signal) ?? new Group();
  groups.set(signal, group);
  const { runs, runAll } = group;
  if (runs.size === 0) signal.addEventListener("abort", runAll);
  runs.add(run);
  return () => {
    if (runs.delete(run) && runs.size === 0) signal.removeEventListener("abort", runAll);
  };
}
