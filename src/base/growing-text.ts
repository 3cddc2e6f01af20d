/** Text that grows by small pieces. */

const BATCH = 64;

/**
 * Joined in batches while the pieces are young: one list of all pieces, or one rope of them, would be moved by the
 * collector piece by piece, and cost more at the end than all that came before.
 */
export class GrowingText {
  length = 0;
  #joined = "";
  /** `null`: none yet. Most texts of an answer stay empty. */
  #pieces: string[] | null = null;

  add(piece: string): void {
    this.length += piece.length;
    this.#pieces ??= [];
    if (this.#pieces.push(piece) === BATCH) this.#join();
  }

  toString(): string {
    this.#join();
    return this.#joined;
  }

  #join(): void {
    this.#joined += this.#pieces?.join("") ?? "";
    this.#pieces = null;
  }
}
