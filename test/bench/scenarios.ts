/** What is measured: which columns do what, how often, compared with which of them. */
import { growths } from "./growths.ts";
import type { Cell, Scenario } from "./scenario.ts";
import { DIALECTS, type Dialect, type Plan } from "./stub/plan.ts";

/** Which columns a dialect has; peers only where they are installed. */
export const OURS = ["events", "events, heard", "textStream", "turn"];
const SDK_COLUMNS: { readonly [Name in Dialect]: readonly string[] } = {
  chat: ["openai", "openai over fetch", "ai", "ai over fetch", "langchain"],
  messages: ["anthropic", "anthropic over fetch", "anthropic .stream()"],
  responses: ["openai", "openai over fetch"],
};
const REACH: Readonly<Record<string, string>> = {
  "openai over fetch": "openai",
  "anthropic over fetch": "anthropic",
  "ai over fetch": "ai",
};

export interface Choice {
  readonly quick: boolean;
  readonly leftOut: readonly string[];
  /** Columns that run, by their whole name. */
  readonly columns: RegExp;
}

export function scenariosOf({ quick, leftOut, columns: wanted }: Choice): Scenario[] {
  const sized = (full: number, fast: number) => (quick ? fast : full);
  const present = (column: string) => !leftOut.some((peer) => column.startsWith(peer));
  const bulkEvents = sized(200_000, 40_000);
  const dialects = DIALECTS;
  const cellsFor = (columns: (dialect: Dialect) => readonly string[], plan: Plan, streams = 1, of = dialects): Cell[] =>
    of.flatMap((dialect) =>
      columns(dialect)
        .filter((column) => present(column) && wanted.test(`${column}:${dialect}`))
        .map((column) => ({
          name: `${column}:${dialect}`,
          column: `${column}:${dialect}`,
          plan,
          streams,
          against: `${REACH[column] ?? "floor1b"}:${dialect}`,
        })),
    );
  const warmUp: Plan = { events: 5_000 };
  const floors = ["floor0", "floor1b"];
  const dropIn = ["fetch", "fetch, heard"];

  return [
    {
      name: "bulk",
      title: `CPU per event, ${bulkEvents.toLocaleString("en")} events as fast as they come`,
      kind: "bulk",
      rounds: sized(7, 3),
      warmUp: { events: sized(60_000, 20_000) },
      cells: cellsFor((dialect) => [...floors, ...OURS, "fetch", ...SDK_COLUMNS[dialect]], { events: bulkEvents }),
    },
    {
      name: "cold",
      title: "CPU per event, the first 5,000 events of a process, compiler included",
      kind: "bulk",
      rounds: 3,
      warmUp: { events: 1 },
      cells: cellsFor((dialect) => ["floor1b", "events", "turn", ...(dialect === "chat" ? ["openai"] : [])], {
        events: 5_000,
      }),
    },
    {
      name: "paced",
      title: "CPU per event, 100 streams, one event every 20 ms each",
      kind: "crowd",
      rounds: sized(5, 3),
      warmUp: { events: sized(60_000, 20_000) },
      cells: cellsFor(() => ["floor1b", "events, heard", "turn"], { events: sized(200, 60), gapMs: 20 }, 100),
    },
    {
      name: "ttft",
      title: "Added median TTFT over a drained fetch, ms",
      kind: "pairs",
      rounds: sized(4, 2),
      warmUp: { events: 5 },
      cells: cellsFor(
        (dialect) =>
          dialect === "chat"
            ? ["floor1b", "events", "events, heard", ...dropIn, ...SDK_COLUMNS.chat]
            : ["floor1b", "events", "anthropic"],
        { events: 5 },
        sized(400, 100),
        ["chat", "messages"],
      ),
    },
    {
      name: "heap",
      title: "Heap per open stream above a drained fetch, KB",
      kind: "held",
      rounds: sized(3, 1),
      warmUp: { events: 2_000 },
      cells: cellsFor(
        () => [...floors, "events", "events, heard", ...dropIn],
        { events: 100, gapMs: 20, holdMs: sized(8_000, 6_000) },
        sized(1_000, 400),
        ["chat"],
      ).map((cell) => ({ ...cell, against: "floor0:chat" })),
    },
    {
      name: "crowd",
      title: "1,000 streams × 100 events, 20 ms gaps",
      kind: "crowd",
      rounds: sized(3, 1),
      warmUp,
      cells: cellsFor(() => ["floor1b", "events, heard"], { events: 100, gapMs: 20 }, sized(1_000, 400), ["chat"]),
    },
    {
      name: "arguments",
      title: "1 MiB of tool arguments in 20-byte deltas",
      kind: "bulk",
      rounds: sized(7, 3),
      warmUp: { events: 0, argumentBytes: 102_400 },
      cells: cellsFor(() => ["floor1b", "events, heard", "turn"], {
        events: 0,
        argumentBytes: sized(1_048_576, 262_144),
      }),
    },
    {
      name: "endless",
      title: "One long stream that is not collected",
      kind: "endless",
      rounds: 1,
      warmUp,
      cells: cellsFor(() => ["not collected"], { events: sized(1_000_000, 80_000) }).map((cell) => ({
        ...cell,
        against: null,
      })),
    },
    {
      name: "open",
      title: `${sized(10_000, 2_000).toLocaleString("en")} open streams in one process`,
      kind: "held",
      rounds: 1,
      warmUp: { events: 2_000 },
      cells: cellsFor(() => ["floor0", "events"], { events: 20, gapMs: 1_000, holdMs: 60_000 }, sized(10_000, 2_000), [
        "chat",
      ]).map((cell) => ({ ...cell, against: "floor0:chat" })),
    },
    ...growths(quick),
  ];
}
