/** Many streams at one pace: a tenth of them is served every tenth of the gap, so that no burst is of our making. */
import type { Socket } from "node:net";
import { LAST_CHUNK } from "./answers.ts";

interface Turning {
  readonly socket: Socket;
  readonly chunks: readonly Buffer[];
  readonly holdMs: number;
  next: number;
  heldUntil: number;
}

const SLOTS = 10;

export class Wheel {
  readonly #gapMs: number;
  readonly #slots = Array.from({ length: SLOTS }, () => new Set<Turning>());
  #timer: NodeJS.Timeout | null = null;
  #at = 0;
  #dueAt = 0;
  #added = 0;

  constructor(gapMs: number) {
    this.#gapMs = gapMs;
  }

  add(socket: Socket, chunks: readonly Buffer[], holdMs: number): void {
    this.#slots[this.#added++ % SLOTS]?.add({ socket, chunks, holdMs, next: 0, heldUntil: 0 });
    if (this.#timer !== null) return;
    this.#dueAt = performance.now();
    this.#timer = setInterval(() => this.#turn(performance.now()), 1);
  }

  #turn(now: number): void {
    for (; this.#dueAt <= now; this.#dueAt += this.#gapMs / SLOTS) {
      const slot = this.#slots[this.#at++ % SLOTS] as Set<Turning>;
      for (const turning of slot) if (!write(turning, now)) slot.delete(turning);
    }
    if (this.#timer === null || this.#slots.some((slot) => slot.size > 0)) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

/** False once the stream is over. */
function write(turning: Turning, now: number): boolean {
  const { socket, chunks, holdMs } = turning;
  if (socket.destroyed) return false;
  if (now < turning.heldUntil) return true;
  socket.write(chunks[turning.next++] as Buffer);
  if (holdMs > 0 && turning.next === chunks.length >> 1) turning.heldUntil = now + holdMs;
  if (turning.next < chunks.length) return true;
  socket.write(LAST_CHUNK);
  return false;
}
