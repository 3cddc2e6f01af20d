/** What a request delivered, checked against what was sent: a column that loses a delta is no column. */
import type { Ask, Column } from "../columns/column.ts";
import { ARGUMENTS_PER_DELTA, addressOf, argumentsOf, type Plan, textLengthOf } from "../stub/plan.ts";

export class Ledger implements Ask {
  readonly base: string;
  firstAt = 0;
  deltas = 0;
  length = 0;
  size = 0;
  readonly signal: AbortSignal | null;
  /** Called once, at this delta. */
  onDelta: { readonly at: number; run(): void } | null = null;
  readonly #plan: Plan;

  constructor(port: number, plan: Plan, signal: AbortSignal | null = null) {
    this.base = addressOf(port, plan);
    this.signal = signal;
    this.#plan = plan;
  }

  delta(text: string): void {
    if (this.firstAt === 0) this.firstAt = performance.now();
    this.length += text.length;
    if (++this.deltas === this.onDelta?.at) this.onDelta.run();
  }

  bytes(chunk: Uint8Array): void {
    if (this.firstAt === 0) this.firstAt = performance.now();
    this.size += chunk.length;
    if (++this.deltas === this.onDelta?.at) this.onDelta.run();
  }

  whole(deltas: number, length: number): void {
    this.deltas = deltas;
    this.length = length;
  }

  /** Bytes or text: each is known to the character. */
  check(payloadBytes: number): void {
    const isRaw = this.size > 0;
    const { events, argumentBytes } = this.#plan;
    const length = argumentBytes ? argumentsOf(argumentBytes).length : textLengthOf(this.#plan);
    const deltas = argumentBytes ? Math.ceil(length / ARGUMENTS_PER_DELTA) : events;
    if (isRaw && this.size !== payloadBytes) throw new Error(`${this.size} bytes instead of ${payloadBytes}`);
    if (isRaw) return;
    if (this.length !== length) throw new Error(`${this.length} characters instead of ${length}`);
    // A whole turn counts the announcement of its call as content, too.
    const counted = argumentBytes && this.deltas === deltas + 1 ? deltas : this.deltas;
    if (counted !== deltas) throw new Error(`${this.deltas} deltas instead of ${deltas}`);
  }
}

/** Runs a column once, and checks what it delivered. */
export async function run(column: Column, port: number, plan: Plan, payloadBytes: number): Promise<Ledger> {
  const ledger = new Ledger(port, plan);
  await column.run(ledger);
  ledger.check(payloadBytes);
  return ledger;
}
