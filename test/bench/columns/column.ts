/** A column of the table: one way to have a streamed answer, and what it has to show for it. */
import type { Dialect } from "../stub/plan.ts";

/** One request of a column. */
export interface Ask {
  /** The address before the API's own path (`/v1/…`). */
  readonly base: string;
  /** Closes it, where many are closed at once. */
  readonly signal: AbortSignal | null;
  /** A text delta or a piece of arguments was delivered. */
  delta(text: string): void;
  /** Raw bytes were, where nothing is decoded. */
  bytes(chunk: Uint8Array): void;
  /** All was delivered at once: so many deltas, together this long. */
  whole(deltas: number, length: number): void;
}

export interface Column {
  readonly dialect: Dialect;
  run(ask: Ask): Promise<void>;
}

/** One client per address, as an application has it. */
export function perBase<Client>(create: (base: string) => Client): (ask: Ask) => Client {
  const clients = new Map<string, Client>();
  return ({ base }) => {
    const client = clients.get(base) ?? create(base);
    clients.set(base, client);
    return client;
  };
}
