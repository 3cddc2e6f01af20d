/** Compares one replay of a whole recording with everything that is expected of it. */
import { isDeepStrictEqual } from "node:util";
import type { Turn } from "../../../src/index.ts";
import { type Contract, digest, type Expected, parses } from "./recording.ts";
import type { Replayed } from "./replay.ts";

type Compare = (name: string, expected: unknown, actual: unknown) => void;

export function compare(expected: Expected, replayed: Replayed): string[] {
  const problems: string[] = [];
  const check: Compare = (name, wanted, actual) => {
    if (!isDeepStrictEqual(wanted, actual))
      problems.push(`${name}: expected ${JSON.stringify(wanted)}, got ${JSON.stringify(actual)}`);
  };
  compareContract(expected.contract, contractOf(replayed), check);
  compareContent(expected, replayed, check);
  if (expected.contract.reason === "provider_error") compareError(expected, replayed, check);
  return problems;
}

const textOf = ({ turn }: Replayed) => (turn ? (turn.status === "complete" ? turn.text : turn.partialText) : "");

function contractOf({ turn, error, record }: Replayed): Partial<Contract> {
  return {
    status: turn?.status ?? "error",
    reason: turn ? (turn.status === "incomplete" ? turn.reason : null) : (error?.failure?.reason ?? null),
    terminal: turn?.status === "complete" || record.terminal,
    stopReason: record.stopReason,
    rawStopReason: turn ? turn.rawStopReason : (error?.failure?.rawStopReason ?? null),
    gateOpens: turn !== null,
    ...(turn && { streamed: turn.streamed }),
  };
}

/** Fields that the contract leaves open are named before the colon. */
export const open = ({ undetermined = "" }: Contract) => new Set(undetermined.split(":")[0]?.split(/[\s,]+/));

function compareContract(contract: Contract, actual: Partial<Contract>, check: Compare): void {
  const skipped = open(contract);
  for (const [name, value] of Object.entries(actual))
    if (!skipped.has(name)) check(name, contract[name as keyof Contract], value);
}

function compareContent(expected: Expected, replayed: Replayed, check: Compare): void {
  const { turn, consumed, timing } = replayed;
  const text = textOf(replayed);
  if (consumed !== null) check("text that was read", text, consumed);
  // Nothing of an answer that failed before its gate is released, so there is nothing to compare.
  if (turn) {
    check("text length", expected.text_len_utf16, text.length);
    check("text hash", expected.text_sha256 || digest(""), digest(text));
    compareTools(expected, turn, check);
  }
  if (turn?.streamed === false) return;
  check("first content event", expected.first_content_index, timing.firstContentEvent);
  check("first output event", expected.first_any_output_index, timing.firstOutputEvent);
}

function compareTools({ tool_calls: wanted, notes }: Expected, turn: Turn, check: Compare): void {
  const all = turn.status === "complete" ? turn.toolCalls : turn.toolFragments;
  // A plain call that the provider itself answers later is listed among the others.
  const calls =
    all.length === wanted.length ? all : all.filter((call) => !("providerExecuted" in call && call.providerExecuted));
  // The reader behind the expectations does not put together arguments that come as paths and values.
  const inPaths = notes.some((note) => note.includes("partialArgs"));
  const rows = calls.map((call, nth) => {
    const args = "arguments" in call ? call.arguments : call.argumentsFragment;
    const unread = inPaths && wanted[nth]?.args === "" && parses(args);
    // Without an id on the wire a call gets one of ours.
    return { id: wanted[nth]?.id === null ? null : call.id, name: call.name, args: unread ? "" : args };
  });
  check(
    "tool calls",
    wanted.map(({ id, name, args }) => ({ id, name, args })),
    rows,
  );
}

/** The provider's code or type must be among what the failure says; either may be missing on the wire. */
function compareError({ errors }: Expected, { turn, error }: Replayed, check: Compare): void {
  const failure = turn?.status === "incomplete" ? turn.error : (error?.failure ?? null);
  const sent = errors[0]?.error as { readonly code?: unknown; readonly type?: unknown } | undefined;
  if (typeof sent?.code === "string") check("provider code", sent.code, failure?.providerCode);
  if (typeof sent?.type === "string") check("provider type", sent.type, failure?.providerType);
}
