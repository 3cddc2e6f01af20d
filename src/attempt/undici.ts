/**
 * What only Node's own `fetch` shows and takes: the moment at which a connection is ready, and longer timers than its
 * own. Reached through `process.getBuiltinModule`, so that no bundler ever sees a Node built-in.
 */

/** undici gives up after this much silence, before the headers and within the body. */
const OWN_SILENCE_MS = 300_000;
const GLOBAL_DISPATCHER = Symbol.for("undici.globalDispatcher.1");

type Channel = { subscribe(listener: (message: any) => void): void };

/** Who made the request that is being created right now: undici creates it synchronously inside `fetch()`. */
let creating: ((request: object) => void) | null = null;
const connected = new WeakMap<object, () => void>();
let subscribed = false;

/** Once per process: `sendHeaders` is TCP and TLS done, or a pooled socket taken. */
function subscribe(): void {
  subscribed = true;
  const { process } = globalThis as { process?: { getBuiltinModule?: (name: string) => any } };
  const channels = process?.getBuiltinModule?.("node:diagnostics_channel");
  if (!channels) return;
  const channel = (name: string): Channel => channels.channel(name);
  channel("undici:request:create").subscribe(({ request }) => creating?.(request));
  channel("undici:client:sendHeaders").subscribe(({ request }) => {
    const run = connected.get(request);
    connected.delete(request);
    run?.();
  });
}

/**
 * Runs `send` and calls `onConnected` when its connection is ready. `visible` is false where the runtime does not show
 * that; then `onConnected` is never called.
 */
export function watchConnection<Result>(
  send: () => Result,
  onConnected: () => void,
): { result: Result; visible: boolean } {
  if (!subscribed) subscribe();
  let visible = false;
  const outer = creating;
  creating = (request) => {
    visible = true;
    connected.set(request, onConnected);
  };
  try {
    return { result: send(), visible };
  } finally {
    creating = outer;
  }
}

/**
 * What `init` needs so that undici's timers do not cut a silence that our limits allow; nothing on other runtimes.
 * The dispatcher in use, the caller's or the global one, stays in use.
 */
export function withoutOwnTimers(silenceMs: number, given: unknown): { dispatcher?: object } {
  if (silenceMs < OWN_SILENCE_MS) return {};
  const base = given ?? globalDispatcher();
  if (typeof base?.dispatch !== "function") return {};
  const dispatch = (options: object, handler: object) =>
    base.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return { dispatcher: { dispatch } };
}

function globalDispatcher(): any {
  const { process } = globalThis as { process?: { versions?: { undici?: string } } };
  if (!process?.versions?.undici) return undefined;
  // Node 20 sets it up with the first use of its fetch.
  if (!(GLOBAL_DISPATCHER in globalThis)) new Request("http://localhost/");
  return (globalThis as any)[GLOBAL_DISPATCHER];
}
