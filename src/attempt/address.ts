/** Where a request goes: the endpoint's address with its model in it, and never anywhere else. */

const MODEL = "{model}";
/** Stands for the page where there is none, so that a relative address can be checked; reserved, resolves nowhere. */
const NO_PAGE = "http://relative.invalid/";

/** An address that may hold `{model}`; parsed anew for each request only if it does. */
export interface Address {
  readonly template: string;
  /** Parsed, with `{model}` still in place of a model. For a relative address without a page, below `relative.invalid`. */
  readonly url: URL;
  /** Relative, and there is no page: it can be kept, but nothing can be sent there. */
  readonly unresolved: boolean;
}

/** What is wrong with an address, in words that repeat nothing of it; `null` if nothing is. */
export function addressFault(address: string | URL): string | null {
  const read = readAddress(address);
  return typeof read === "string" ? read : null;
}

/** @throws TypeError for an address in which `addressFault` finds something. */
export function parseAddress(address: string | URL): Address {
  const read = readAddress(address);
  if (typeof read === "string") throw new TypeError(read);
  return read;
}

function readAddress(address: string | URL): Address | string {
  // A `URL` object has already encoded the braces.
  const template = String(address).replaceAll("%7Bmodel%7D", MODEL);
  const parsed = parse(template);
  const page = parsed ? undefined : pageUrl();
  const url = parsed ?? parse(template, page ?? NO_PAGE);
  if (!url) return "no address";
  if (url.protocol !== "https:" && url.protocol !== "http:") return "an address that begins otherwise";
  if (url.username || url.password) return "an address with a user name or password";
  // `//host/path` and `/\host` are relative to the page and yet lead away from it.
  if (!parsed && url.origin !== new URL(page ?? NO_PAGE).origin)
    return "a relative address that leads away from its page";
  if (template.includes(MODEL) && !addressFor({ template, url }, "m")) return "an address with `{model}` in its host";
  return { template, url, unresolved: !parsed && page === undefined };
}

/** The address with the model in it, or `null` if the model cannot stand in an address. */
export function addressFor({ template, url }: Pick<Address, "template" | "url">, model: string | null): URL | null {
  if (!template.includes(MODEL)) return url;
  if (!model || model === ".") return null;
  const placed = parse(template, url.href, model);
  // `..` survives encoding and would climb: whatever the model is called, the path keeps its length and its host.
  return placed?.origin === url.origin && depthOf(placed) === depthOf(url) ? placed : null;
}

/** The address without what may hold a secret: for observers and records. */
export function publicUrl(url: URL): URL {
  return new URL(`${url.protocol}//${url.host}${url.pathname}`);
}

/**
 * Where to go on a redirect, `null` if nowhere: only 307 and 308 keep method and body, and only the same origin may see
 * key and prompt. At most `MAX_REDIRECTS` are followed.
 */
export function redirectTarget(from: URL, status: number, location: string | null, followed: number): URL | null {
  if ((status !== 307 && status !== 308) || location === null || followed >= MAX_REDIRECTS) return null;
  const url = parse(location, from.href);
  return url && url.origin === from.origin && !url.username && !url.password ? url : null;
}

const MAX_REDIRECTS = 3;

/** May a key be sent there? Not in clear text, except to this machine. */
export function mayCarryKey(url: URL): boolean {
  return url.protocol === "https:" || /^(localhost|.+\.localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
}

function depthOf(url: URL): number {
  return url.pathname.split("/").length;
}

/** Neither a runtime's `URL` error, which repeats its input, nor the one for half a surrogate pair gets out. */
function parse(url: string, base?: string, model?: string): URL | null {
  try {
    return new URL(model === undefined ? url : url.replaceAll(MODEL, encodeURIComponent(model)), base);
  } catch {
    return null;
  }
}

function pageUrl(): string | undefined {
  const base: string | undefined = globalThis.document?.baseURI ?? globalThis.location?.href;
  return base && /^https?:/.test(base) ? base : undefined;
}
