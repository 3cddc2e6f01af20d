/** Makes the calls of a series, some at a time, and keeps the record of each. */
import { type CallRecord, type Client, createClient, type Endpoint, isTtftError } from "../../index.ts";
import type { Io } from "../io.ts";

interface SeriesPlan {
  readonly endpoints: readonly Endpoint[];
  readonly body: object;
  readonly calls: number;
  readonly concurrency: number;
  readonly limits?: { readonly firstTokenMs?: number | undefined; readonly totalMs?: number | undefined } | undefined;
}

/** Resolves to what was measured, if `signal` stops it to what was measured by then. */
export async function measureSeries(
  plan: SeriesPlan,
  io: Pick<Io, "progress">,
  signal?: AbortSignal,
): Promise<CallRecord[]> {
  const records: CallRecord[] = [];
  const showProgress = () => io.progress(`${records.length} of ${plan.calls} calls`);
  const observer = {
    callEnd: (_: unknown, record: CallRecord) => {
      records.push(record);
      showProgress();
    },
  };
  const client = createClient({ endpoints: plan.endpoints, limits: plan.limits, observers: [observer] });
  let left = plan.calls;
  const worker = async () => {
    while (left-- > 0 && signal?.aborted !== true) await oneCall(client, plan.body, signal);
  };
  showProgress();
  await Promise.all(Array.from({ length: Math.min(plan.concurrency, plan.calls) }, worker));
  io.progress("");
  return records;
}

/** Its end is in the record, whichever it is; only what is wrong with the options is thrown. */
async function oneCall(client: Client, body: object, signal: AbortSignal | undefined): Promise<void> {
  try {
    await client.turn(body, { signal });
  } catch (error) {
    if (!isTtftError(error)) throw error;
  }
}
