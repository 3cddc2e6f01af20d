/** How costs grow: with events, bytes, arguments, endpoints, listeners and open streams. */
import type { Ordered } from "./child/sample.ts";
import type { Cell, Scenario } from "./scenario.ts";
import type { Plan } from "./stub/plan.ts";

/** n, 2n, 4n: each compared with the one before it, which half as much went through. */
export function growths(quick: boolean): Scenario[] {
  const rounds = quick ? 2 : 3;
  const unit = quick ? 1 : 2;
  const chat = (name: string, kind: Ordered["kind"], cells: readonly Omit<Cell, "against">[]): Scenario => ({
    name,
    title: `Growth: ${name}`,
    kind,
    rounds,
    warmUp: { events: 2_000 },
    cells: cells.map((cell, at) => ({ ...cell, against: cells[at - 1]?.name ?? null })),
  });
  const doubled = (first: number) => [first, 2 * first, 4 * first];
  const streamed = (plan: (size: number) => Plan, first: number): Omit<Cell, "against">[] =>
    doubled(first).map((size) => ({
      name: size.toLocaleString("en"),
      column: "events, heard:chat",
      plan: plan(size),
      streams: 1,
    }));
  const many = (what: string): Omit<Cell, "against">[] =>
    [1, 4, 16, 64].map((count) => ({
      name: `${count}`,
      column: `${count} ${what}:chat`,
      plan: { events: 20, gapMs: 5 },
      streams: 200,
    }));
  return [
    chat(
      "events",
      "bulk",
      streamed((events) => ({ events }), 12_500 * unit),
    ),
    chat(
      "bytes per event",
      "bulk",
      streamed((padding) => ({ events: 4_000, padding }), 500 * unit),
    ),
    chat(
      "tool arguments, bytes",
      "bulk",
      streamed((argumentBytes) => ({ events: 0, argumentBytes }), 65_536),
    ),
    chat("endpoints", "crowd", many("endpoints")),
    chat("observers", "crowd", many("observers")),
    chat(
      "open streams",
      "crowd",
      doubled(125 * unit).map((streams) => ({
        name: `${streams}`,
        column: "events, heard:chat",
        plan: { events: 50, gapMs: 20 },
        streams,
      })),
    ),
  ];
}
