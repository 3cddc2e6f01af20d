/** What is known for one key, inside the rolling window. */
import type { PromptBand } from "../timing/limits.ts";
import type { Calendar } from "./calendar.ts";
import { Measures, SKETCHES, type SketchName } from "./measures.ts";
import type { Recent } from "./recent.ts";

export interface StatsKey {
  readonly endpoint: string;
  /** As it was asked for; `unknown` where no request named one. */
  readonly model: string;
  readonly label: string | null;
  readonly band: PromptBand;
}

export class Row {
  readonly key: StatsKey;
  /** Shared by all labels of an endpoint, model and band: limits do not look at labels. */
  readonly recent: Recent;
  /** By stretch of the window: at most three. */
  readonly #stretches = new Map<number, Measures>();
  readonly #calendar: Calendar;

  constructor(key: StatsKey, recent: Recent, calendar: Calendar) {
    this.key = key;
    this.recent = recent;
    this.#calendar = calendar;
  }

  /** Where a sample of that stretch goes. */
  filling(stretch = this.#calendar.current): Measures {
    const known = this.#stretches.get(stretch);
    if (known) return known;
    this.stretches();
    const measures = new Measures();
    this.#stretches.set(stretch, measures);
    return measures;
  }

  /** What still counts, piece by piece; what does not is forgotten. */
  stretches(): ReadonlyMap<number, Measures> {
    for (const stretch of this.#stretches.keys()) if (this.#calendar.isOver(stretch)) this.#stretches.delete(stretch);
    return this.#stretches;
  }
}

/** What still counts of all these rows, together. */
export function totalOf(rows: Iterable<Row>, what: readonly SketchName[] = SKETCHES): Measures {
  const total = new Measures();
  for (const row of rows) for (const measures of row.stretches().values()) total.merge(measures, what);
  return total;
}
