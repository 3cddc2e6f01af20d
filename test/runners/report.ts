/** What both runners print: each failure in a line, what is not yet supported by name, and the counts last. */

export class Report {
  #passed = 0;
  #failed = 0;
  #skipped = 0;
  readonly #missing = new Map<string, string[]>();

  passed(): void {
    this.#passed++;
  }
  failed(id: string, problems: readonly string[]): void {
    this.#failed++;
    const shown = problems.slice(0, 8);
    for (const text of shown) console.log(`${id}: ${text.length > 600 ? `${text.slice(0, 600)}…` : text}`);
    if (problems.length > shown.length) console.log(`${id}: … and ${problems.length - shown.length} more`);
  }
  /** What this machine lacks. */
  skipped(id: string, why: string): void {
    this.#skipped++;
    console.log(`skipped: ${id} (${why})`);
  }
  unsupported(id: string, what: string): void {
    this.#missing.set(what, [...(this.#missing.get(what) ?? []), id]);
  }
  note(text: string): void {
    console.log(text);
  }
  /** Prints the counts and sets the exit code. */
  end(): void {
    for (const [what, ids] of this.#missing)
      console.log(`not yet supported: ${what} (${ids.length}: ${ids.join(", ")})`);
    const skipped = this.#skipped > 0 ? `, ${this.#skipped} skipped` : "";
    console.log(`${this.#passed} passed, ${this.#failed} failed${skipped}`);
    process.exitCode = this.#failed > 0 ? 1 : 0;
  }
}
