/** Which script answers which request: the longest prefix wins, and each request to it takes the next script. */
import { checkScripts } from "./check-scripts.ts";
import { type Act, play } from "./play.ts";
import type { StubRequest } from "./request-log.ts";
import type { Script, Scripts } from "./script.ts";

export class Routes {
  readonly #scripts: ReadonlyMap<string, readonly Script[]>;
  readonly #taken = new Map<string, number>();
  #ordinal = 0;

  constructor(scripts: Scripts) {
    this.#scripts = checkScripts(scripts);
  }

  get keys(): readonly string[] {
    return [...this.#scripts.keys()];
  }

  /** The key with the longest prefix of `url`; a path stands for itself on every origin. */
  keyOf(url: URL): string | null {
    let best: string | null = null;
    let length = 0;
    for (const key of this.#scripts.keys()) {
      const prefix = key.startsWith("/") ? url.origin + key : addressOf(key);
      if (prefix.length <= length || !isPrefix(prefix, url.href)) continue;
      best = key;
      length = prefix.length;
    }
    return best;
  }

  scriptsOf(key: string): readonly Script[] {
    return this.#scripts.get(key) ?? [];
  }

  /** What the server does for this request. A request that cannot be answered gets an HTTP error that says why. */
  answer(request: StubRequest): Iterable<Act> {
    const url = new URL(request.url);
    const key = this.keyOf(url);
    const asked = { pathname: url.pathname, headers: request.headers, body: request.body };
    const ordinal = ++this.#ordinal;
    const tell = (script: Script) => play(script, asked, ordinal);
    if (key === null)
      return tell(failing(404, `no script for ${url.origin}${url.pathname}; there are: ${this.keys.join(", ")}`));
    const scripts = this.scriptsOf(key);
    const taken = this.#taken.get(key) ?? 0;
    this.#taken.set(key, taken + 1);
    const script = scripts[Math.min(taken, scripts.length - 1)] ?? [];
    try {
      // All at once: a script that this protocol cannot play fails before its first byte.
      return [...tell(script)];
    } catch (error) {
      return tell(failing(501, (error as Error).message));
    }
  }
}

const failing = (status: number, message: string): Script => [
  { status },
  { error: status === 404 ? "not_found_error" : "scripted_protocol_error", message: `ttft/testing: ${message}` },
];

/** As a URL writes it: host in lower case, without the scheme's own port. */
const addressOf = (key: string): string => key.replace(/^[^/]+\/\/[^/?#]+/, (origin) => new URL(origin).origin);

/** `https://a.test` is a prefix of `https://a.test/v1` and not of `https://a.test.example`. */
function isPrefix(prefix: string, whole: string): boolean {
  if (!whole.startsWith(prefix)) return false;
  const next = whole[prefix.length];
  return next === undefined || "/?#:".includes(next) || "/?#:".includes(prefix.at(-1) as string);
}
