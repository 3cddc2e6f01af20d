/** Everything that is checked of one recording. */
import type { Library } from "../library.ts";
import { compare } from "./compare.ts";
import { cutsOf, problemsOfCuts } from "./cuts.ts";
import { openingOf, openingProblem } from "./gate.ts";
import type { Recording } from "./recording.ts";
import { Player, sliced } from "./replay.ts";

export interface Checked {
  readonly problems: readonly string[];
  readonly replays: number;
  readonly cuts: number;
}

const chunkings = [Infinity, 1, 7];
const nameOf = (size: number) => (size === Infinity ? "whole" : `${size}-byte chunks`);

export async function checkRecording(library: Library, recording: Recording): Promise<Checked> {
  const { bytes, expected } = recording;
  const player = new Player(library, recording);
  const chunks = (size: number) => (size === Infinity ? [bytes.slice()] : sliced(bytes, size));
  const problems: string[] = [];
  const replay = async (size: number) => {
    const replayed = await player.stream({ chunks: chunks(size), ending: "close" });
    problems.push(...compare(expected, replayed).map((text) => `${nameOf(size)}: ${text}`));
    return replayed;
  };
  const [whole] = [await replay(Infinity), await replay(1), await replay(7)];
  const opening = openingProblem(recording, await openingOf(recording, player));
  if (opening) problems.push(opening);
  problems.push(...(await lenientProblems(library, recording)));
  problems.push(...shortened(await problemsOfCuts(library, recording, player, whole)));
  return { problems, replays: chunkings.length + 1, cuts: cutsOf(recording).length };
}

/** The same file at a lenient endpoint, where that makes a difference. */
async function lenientProblems(library: Library, recording: Recording): Promise<string[]> {
  const { contract } = recording.expected;
  if (contract.undetermined?.split(":")[0]?.includes("lenient")) return [];
  const player = new Player(library, recording, "lenient");
  const { turn, error } = await player.turn({ chunks: [recording.bytes.slice()], ending: "close" });
  const status = turn?.status ?? "error";
  const reason = (turn?.status === "incomplete" ? turn.reason : error?.failure?.reason) ?? null;
  const wanted = contract.lenient ?? contract;
  if (status === wanted.status && reason === wanted.reason) return [];
  return [`lenient: expected ${wanted.status} ${wanted.reason}, got ${status} ${reason}`];
}

/** One bug can break a thousand cuts. */
function shortened(problems: readonly string[]): string[] {
  const shown = problems.slice(0, 3);
  return problems.length > shown.length ? [...shown, `… ${problems.length} cuts in all`] : shown;
}
