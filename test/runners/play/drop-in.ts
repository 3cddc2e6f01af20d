/** What both ways of calling through `createFetch` share. */
import type { Turn } from "../../../src/index.ts";
import type { Taken } from "./observed.ts";
import type { World } from "./world.ts";

export const nothing: Taken = { turn: null, text: "", reasoning: "", asBytes: true };

/** The function under test, called with one `Request` where the case says so; remembers what its caller passed. */
export function fetchOf({ fetch, script, seen }: World): typeof globalThis.fetch {
  if (!fetch) throw new Error("there is no drop-in in this world");
  return (input, init) => {
    for (const name of new Headers(init?.headers).keys()) seen.callerHeaders.add(name);
    const request = script.client.input ? new Request(input, init) : null;
    const signal = request?.signal ?? init?.signal;
    if (signal) seen.signals.add(signal);
    return request ? fetch(request) : fetch(input, init);
  };
}

export const firstEndpoint = ({ script }: World) => script.client.endpoints?.[0] ?? "A";

export function headOf({ status, headers }: Response) {
  return { status, headers, contentType: (headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "" };
}

/** `turnOf(response)`, which any response of ours must have. */
export function turnOf({ loaded }: World, response: Response): Promise<Turn> {
  const turn = loaded.library.turnOf?.(response);
  if (!turn) throw new Error("turnOf(response) is null");
  return turn;
}

/** Taken at the first piece and never awaited, where the case wants that. */
export function holdTurn(world: World, response: Response): void {
  if (world.script.client.holdUnawaited) void turnOf(world, response);
}

/** A promise that nobody awaited must be seen to be safe before it gets a handler. */
export async function letGo({ script }: World): Promise<void> {
  if (script.client.holdUnawaited) await new Promise(setImmediate);
}

/** What reading the same thing again throws; `null` if it does not, `undefined` if the case does not try. */
export async function secondTime({ script }: World, read: () => Promise<unknown>): Promise<unknown> {
  if (script.client.action !== "consumeTwice") return undefined;
  try {
    await read();
    return null;
  } catch (error) {
    return error;
  }
}
