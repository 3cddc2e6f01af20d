/** How a connection is let go: at once, or after the terminal event with a short drain so that it can be used again. */
import type { Clock } from "../base/clock.ts";
import { type BodyReader, readRest } from "./read.ts";

/** What follows the terminal event is read so far and so long. */
const DRAIN_BYTES = 16 * 1024;
const DRAIN_MS = 50;

/** Closes it, and does not wait for the answer, which may never come. A body that is no platform's may even throw. */
export async function letGo(body: { cancel(): unknown } | null | undefined): Promise<void> {
  try {
    await body?.cancel();
  } catch {
    // It is closed already, or it will not be.
  }
}

/** Resolves when it has been let go, never rejects. */
export async function release(
  reader: BodyReader | null,
  controller: AbortController,
  clock: Clock,
  drains: boolean,
): Promise<void> {
  const rest = drains && reader !== null ? await readRest(reader, clock, DRAIN_BYTES, DRAIN_MS) : null;
  if (rest?.ended) return;
  controller.abort();
  void letGo(reader);
}
