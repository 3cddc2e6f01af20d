/** Several observers as one that cannot hurt the call: each is called, none can throw, reject or return into it. */
import { ignoreRejection } from "../base/ignore-rejection.ts";
import type { AttemptInfo, Observer } from "./observer.ts";

type Falsy = false | null | undefined | "" | 0;
type Plain = Exclude<keyof Observer, "dispatch">;

const PLAIN: readonly Plain[] = [
  "callStart",
  "attemptStart",
  "firstEvent",
  "firstOutput",
  "firstContent",
  "gap",
  "attemptEnd",
  "callEnd",
  "skipped",
  "breaker",
  "warning",
];

/** `null` if nobody listens. A method exists only where somebody has it, so that nothing is computed for nobody. */
export function combineObservers(list: readonly (Observer | Falsy)[]): Observer | null {
  const observers = list.filter((observer): observer is Observer => Boolean(observer));
  if (observers.length === 0) return null;
  const combined: Record<string, unknown> = {};
  for (const name of PLAIN) {
    const hearing = observers.filter((observer) => typeof observer[name] === "function");
    // Two things are told at most, and three of a skip: a list of them per gap would cost more than the rest.
    if (hearing.length > 0) combined[name] = (a: unknown, b: unknown, c: unknown) => tell(hearing, name, a, b, c);
  }
  const around = observers.filter((observer) => observer.dispatch);
  if (around.length > 0) combined.dispatch = dispatcherOf(around);
  return combined;
}

function tell(observers: readonly Observer[], name: Plain, a: unknown, b: unknown, c: unknown): void {
  for (const observer of observers) {
    try {
      ignoreRejection((observer[name] as (...heard: readonly unknown[]) => unknown)(a, b, c));
    } catch {
      // An observer's own trouble: the call goes on.
    }
  }
}

/** The first one is outermost. Whatever an observer does around the request, it is sent exactly once. */
function dispatcherOf(observers: readonly Observer[]): NonNullable<Observer["dispatch"]> {
  return <Result>(attempt: AttemptInfo, headers: Headers, next: () => Result): Result => {
    let sent: (() => Result) | null = null;
    const send = () => {
      sent ??= outcomeOf(next);
      return sent();
    };
    const from = (at: number): Result => {
      const observer = observers[at];
      if (!observer) return send();
      try {
        ignoreRejection(observer.dispatch?.(attempt, headers, () => from(at + 1)));
      } catch {
        // Either its own trouble, or that of the request, which `send` then reports.
      }
      return sent ? sent() : from(at + 1);
    };
    return from(0);
  };
}

/** Runs it now; what came of it can be asked for again. */
function outcomeOf<Result>(run: () => Result): () => Result {
  try {
    const result = run();
    return () => result;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}
