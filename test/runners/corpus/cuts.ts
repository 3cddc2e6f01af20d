/** Cuts a recording everywhere: only a whole success signal may make a turn complete, and text stays a prefix. */
import type { ProtocolName } from "../../../src/index.ts";
import type { Library } from "../library.ts";
import { framingOf, isSuccess, type RawEvent, rawEvents } from "../stub/bytes-reader.ts";
import { parses, type Recording } from "./recording.ts";
import { isDocument, type Player, type Replayed } from "./replay.ts";

/** Files up to this size are cut at every byte. */
const everyByteUpTo = 8192;
/** A large file is reset around its last events, where the success signal stands. */
const resetsInLarge = 16;

export interface Cut {
  readonly at: number;
  readonly ending: "close" | "reset";
}

export function cutsOf({ bytes, expected }: Recording): Cut[] {
  const boundaries = eventsOf(expected.protocol, bytes).flatMap(({ closedAt }) => closedAt ?? []);
  const small = bytes.length <= everyByteUpTo;
  const clean = small ? [...bytes.keys()] : boundaries;
  const reset = small ? boundaries : boundaries.slice(-resetsInLarge);
  return [
    ...clean.map((at) => ({ at, ending: "close" as const })),
    // A reset where an event was just closed, and one byte before.
    ...reset.flatMap((at) => [at - 1, at].map((cut) => ({ at: cut, ending: "reset" as const }))),
  ];
}

const eventsOf = (protocol: ProtocolName, bytes: Uint8Array): RawEvent[] => [...rawEvents(bytes, framingOf(protocol))];

export async function problemsOfCuts(
  library: Library,
  recording: Recording,
  player: Player,
  whole: Replayed,
): Promise<string[]> {
  const { bytes, expected } = recording;
  const may = mayComplete(expected.protocol, bytes);
  const problems: string[] = [];
  for (const cut of cutsOf(recording)) {
    const replayed = await player.turn({ chunks: [bytes.slice(0, cut.at)], ending: cut.ending });
    const problem = judge(library, replayed, whole, may(cut));
    if (problem) problems.push(`cut at byte ${cut.at} (${cut.ending}): ${problem}`);
  }
  return problems;
}

const textOf = ({ turn }: Replayed) => (turn ? (turn.status === "complete" ? turn.text : turn.partialText) : "");
const reasonOf = ({ turn, error }: Replayed) =>
  (turn?.status === "incomplete" ? turn.reason : error?.failure?.reason) ?? null;

/** `"must"`: what decided the whole file is in the part, so both end alike. */
type May = "no" | "may" | "must";

function judge(library: Library, cut: Replayed, whole: Replayed, may: May): string | null {
  const text = textOf(cut);
  if (!textOf(whole).startsWith(text)) return `${JSON.stringify(text.slice(-80))} does not end a prefix of the text`;
  if (cut.turn?.status === "complete" && may === "no") return "complete without a whole success signal";
  if (may === "must" && (cut.turn?.status !== whole.turn?.status || reasonOf(cut) !== reasonOf(whole)))
    return `ends as ${cut.turn?.status ?? "error"} ${reasonOf(cut)}, the whole as ${whole.turn?.status ?? "error"} ${reasonOf(whole)}`;
  if (cut.turn?.status === "incomplete" && executes(library, cut)) return "executableToolCalls returns for a cut turn";
  return null;
}

function executes({ executableToolCalls }: Library, { turn }: Replayed): boolean {
  try {
    // A caller without types may well pass an incomplete turn.
    executableToolCalls?.(turn as never);
    return executableToolCalls !== undefined;
  } catch {
    return false;
  }
}

/** What a cut may lead to, judged from the bytes alone. */
function mayComplete(protocol: ProtocolName, bytes: Uint8Array): (cut: Cut) => May {
  if (isDocument(protocol, bytes))
    return ({ at, ending }) =>
      ending === "close" && parses(new TextDecoder().decode(bytes.subarray(0, at))) ? "must" : "no";
  const events = eventsOf(protocol, bytes);
  const signals = events.filter(({ data }) => isSuccess(protocol, data));
  const last = events.at(-1);
  // Gemini has no signal of its own: what it looks like one may be followed by more, and only a clean end confirms it.
  const confirmed = protocol === "gemini";
  return ({ at, ending }) => {
    const arrived = (event: RawEvent) =>
      (event.closedAt !== null && event.closedAt <= at) || (ending === "close" && event.dataEnd <= at);
    if (!signals.some(arrived) || (confirmed && ending === "reset")) return "no";
    return !confirmed || (last && arrived(last)) ? "must" : "may";
  };
}
