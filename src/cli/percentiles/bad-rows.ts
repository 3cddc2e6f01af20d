/** What could not be read: rows, counted and the first ones named by line and reason, and sources. Never what stood there. */

const NAMED = 10;

export interface BadRows {
  readonly count: number;
  readonly first: readonly { readonly line: number; readonly why: string }[];
}

export class BadRowList implements BadRows {
  count = 0;
  readonly first: { line: number; why: string }[] = [];

  add(line: number, why: string): void {
    this.count++;
    if (this.first.length < NAMED) this.first.push({ line, why });
  }
}

/** Why a source cannot be read on. */
export class SourceError extends Error {}
