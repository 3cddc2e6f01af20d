/** Finds the event that opens the gate, by sending the next one only when the last has had its effect. */
import { framingOf, rawEvents } from "../stub/bytes-reader.ts";
import type { Recording } from "./recording.ts";
import type { Player } from "./replay.ts";

/** Turns of the event loop after which an event in memory has had all its effect. */
const turns = 3;

export interface Opening {
  /** 0-based among the data events; `null` if the gate did not open while they came. */
  readonly event: number | null;
  readonly events: number;
}

export async function openingOf({ bytes, expected }: Recording, player: Player): Promise<Opening> {
  const closings = [...rawEvents(bytes, framingOf(expected.protocol))].map(({ closedAt }) => closedAt ?? bytes.length);
  let sent = -1;
  let openedBy: number | null = null;
  const chunks = (function* () {
    for (const [nth, end] of closings.entries()) {
      sent = nth;
      yield bytes.slice(nth === 0 ? 0 : closings[nth - 1], end);
    }
  })();
  const between = async () => {
    for (let turn = 0; turn < turns && openedBy === null; turn++) await new Promise(setImmediate);
  };
  await player.stream({ chunks, ending: "close", between }, () => {
    openedBy = sent;
  });
  return { event: openedBy, events: closings.length };
}

/** A provider-run tool opens the gate by itself; without one, nothing opens it before the first output. */
export function openingProblem({ expected }: Recording, { event, events }: Opening): string | null {
  const { contract, first_any_output_index: firstOutput } = expected;
  const wanted = contract.providerToolBeforeOutput;
  if (!contract.gateOpens || typeof wanted !== "boolean" || (firstOutput === null && !wanted)) return null;
  // A call that turns out later to be the provider's is output like any other while it comes.
  if (wanted && expected.server_tool_items === 0 && expected.first_index.tool === firstOutput) return null;
  // Without any output the stop reason and the success signal, the last two events, open it anyway.
  const early = event !== null && event < (firstOutput ?? events - 2);
  if (early === wanted) return null;
  return `gate: opened by event ${event} of ${events}, first output ${firstOutput}, providerToolBeforeOutput ${wanted}`;
}
