/** Ours with more of everything that a client can have: endpoints behind the one that answers, and listeners. */

import { type Column, perBase } from "./column.ts";
import { clientFor, events, listener } from "./ttft.ts";

const dialect = "chat";
const COUNTS = [1, 4, 16, 64] as const;

export const columns: Readonly<Record<string, Column>> = Object.fromEntries(
  COUNTS.flatMap((count): [string, Column][] => {
    const chain = perBase((base) => clientFor(base, dialect, {}, count));
    const observers = Array.from({ length: count }, () => listener);
    const heard = perBase((base) => clientFor(base, dialect, { observers }));
    return [
      [`${count} endpoints:chat`, { dialect, run: (ask) => events(chain(ask), ask) }],
      [`${count} observers:chat`, { dialect, run: (ask) => events(heard(ask), ask) }],
    ];
  }),
);
