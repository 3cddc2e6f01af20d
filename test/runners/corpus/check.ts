/** Everything that is checked of one recording. */
import type { Library } from "../library.ts";
import { compare, open } from "./compare.ts";
import { cutsOf, problemsOfCuts } from "./cuts.ts";
import { openingOf, openingProblem } from "./gate.ts";
import type { Recording } from "./recording.ts";
import { Player, type Replayed, sliced } from "./replay.ts";

export interface Checked {
  readonly problems: readonly string[];
  readonly replays: number;
  readonly cuts: number;
}

const chunkings = { whole: Infinity, "1-byte chunks": 1, "7-byte chunks": 7 };

export async function checkRecording(library: Library, recording: Recording): Promise<Checked> {
  const player = new Player(library, recording);
  const { whole, problems } = await replayAll(recording, player);
  const opening = openingProblem(recording, await openingOf(recording, player));
  if (opening) problems.push(opening);
  problems.push(...(await lenientProblems(library, recording)));
  problems.push(...shortened(await problemsOfCuts(library, recording, player, whole)));
  return { problems, replays: Object.keys(chunkings).length + 2, cuts: cutsOf(recording).length };
}

/** A difference that all chunkings show is told once. */
async function replayAll({ bytes, expected }: Recording, player: Player) {
  const found = new Map<string, string[]>();
  const replays: Replayed[] = [];
  for (const [name, size] of Object.entries(chunkings)) {
    const chunks = size === Infinity ? [bytes.slice()] : sliced(bytes, size);
    const replayed = await player.stream({ chunks, ending: "close" });
    replays.push(replayed);
    for (const text of compare(expected, replayed)) found.set(text, [...(found.get(text) ?? []), name]);
  }
  const problems = [...found].map(([text, names]) => `${names.join(", ")}: ${text}`);
  return { whole: replays[0] as Replayed, problems };
}

/** The same file at a lenient endpoint, where that makes a difference. */
async function lenientProblems(library: Library, recording: Recording): Promise<string[]> {
  const { contract } = recording.expected;
  const skipped = open(contract);
  if (skipped.has("lenient")) return [];
  const player = new Player(library, recording, "lenient");
  const { turn, error } = await player.turn({ chunks: [recording.bytes.slice()], ending: "close" });
  const status = turn?.status ?? "error";
  const reason = (turn?.status === "incomplete" ? turn.reason : error?.failure?.reason) ?? null;
  const wanted = contract.lenient ?? contract;
  const wrong = (field: "status" | "reason", actual: string | null) =>
    (contract.lenient || !skipped.has(field)) && wanted[field] !== actual;
  if (!wrong("status", status) && !wrong("reason", reason)) return [];
  return [`lenient: expected ${wanted.status} ${wanted.reason}, got ${status} ${reason}`];
}

/** One bug can break a thousand cuts. */
function shortened(problems: readonly string[]): string[] {
  const shown = problems.slice(0, 3);
  return problems.length > shown.length ? [...shown, `… ${problems.length} cuts in all`] : shown;
}
