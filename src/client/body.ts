/** An open answer as a body: the provider's bytes as they came, and an end that tells whether they are all. */
import type { CallRun } from "../route/run.ts";
import { IncompleteTurnError } from "../turn/errors.ts";
import { turnOfRun } from "./stream.ts";

type Controller = ReadableStreamDefaultController<Uint8Array>;

/** Of a call that is served. Nothing is queued in it: each read of the consumer takes one read of ours. */
export function bodyOf(run: CallRun): ReadableStream<Uint8Array> {
  const { serving } = run;
  const { signal } = run.call;
  let left = false;
  const pull = (controller: Controller): void | Promise<void> => {
    if (left) return;
    // Also where all has come and was not read yet: a stop button stops.
    if (signal?.aborted) return controller.error(signal.reason);
    const piece = serving?.take() as Uint8Array | undefined;
    if (piece !== undefined) controller.enqueue(piece);
    else if (!run.over)
      return new Promise<void>((ready) => serving?.outlet?.whenReady(ready)).then(() => pull(controller));
    if (!run.over || !serving?.outlet?.empty) return;
    const error = cutOf(run);
    // An error waits for the next pull: now it would throw away what was just put in.
    if (error === null) controller.close();
    else if (piece === undefined) controller.error(error);
  };
  const cancel = (reason: unknown) => {
    left = true;
    run.abort(reason);
  };
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
}

/** What the body ends with; `null` where the provider ended it. */
function cutOf(run: CallRun): IncompleteTurnError | null {
  const turn = turnOfRun(run);
  return turn.status === "complete" || turn.terminal ? null : new IncompleteTurnError(turn);
}
