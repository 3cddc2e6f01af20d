/** What a run measured, and the medians that are told of it. */
import type { Sample } from "./child/sample.ts";
import type { Cell, Scenario } from "./scenario.ts";

export interface Result {
  readonly scenario: Scenario;
  readonly cell: Cell;
  /** One per round; `null` where the sample failed. */
  readonly samples: readonly (Sample | null)[];
}

export class Results {
  readonly #results: Result[] = [];

  add(result: Result): void {
    this.#results.push(result);
  }

  of(scenario: string): readonly Result[] {
    return this.#results.filter((result) => result.scenario.name === scenario);
  }

  /** The median of a number; `NaN` if there is none. */
  median(scenario: string, cell: string, field: string): number {
    return medianOf(this.#values(scenario, cell, field));
  }

  /** The median of what a number was in each round, against that of another cell in the same round. */
  against(scenario: string, cell: string, other: string, field: string, how: "ratio" | "difference"): number {
    const others = this.#values(scenario, other, field);
    return medianOf(
      this.#values(scenario, cell, field).map((value, round) => {
        const reference = others[round] ?? Number.NaN;
        return how === "ratio" ? value / reference : value - reference;
      }),
    );
  }

  #values(scenario: string, cell: string, field: string): number[] {
    const result = this.of(scenario).find(({ cell: { name } }) => name === cell);
    return (result?.samples ?? []).map((sample) => sample?.[field] ?? Number.NaN);
  }
}

export function medianOf(values: readonly number[]): number {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
