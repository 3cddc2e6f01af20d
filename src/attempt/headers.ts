/** The request's headers: merged by name, built where no error can repeat a value. */

export type HeadersLike = Headers | Readonly<Record<string, string | undefined>>;

export type BuiltHeaders =
  | { readonly ok: true; readonly headers: Headers }
  /** A header that HTTP does not allow; by name, if the name can be shown. */
  | { readonly ok: false; readonly header: string };

/** Later layers win, by name; a value that is `undefined` is as if it were not there. */
export function buildHeaders(layers: readonly (HeadersLike | undefined)[]): BuiltHeaders {
  const headers = new Headers();
  let current = "";
  try {
    for (const layer of layers) {
      for (const [name, value] of entriesOf(layer)) {
        current = name;
        if (value !== undefined && value !== null) headers.set(name, value);
      }
    }
  } catch {
    // The runtime's error holds the whole value, so it is not even a cause.
    return { ok: false, header: shownHeaderName(current) };
  }
  return { ok: true, headers };
}

/** `forEach` rather than iteration: it is all that the `Headers` of other libraries share with the platform's. */
export function entriesOf(headers: HeadersLike | undefined): [string, string | undefined][] {
  if (typeof headers?.forEach !== "function") return Object.entries(headers ?? {});
  const entries: [string, string][] = [];
  (headers as Headers).forEach((value, name) => {
    entries.push([name, value]);
  });
  return entries;
}

/** Can it be no key that was written where the name belongs? Names are short and have few digits. */
export function isShowable(name: string): boolean {
  return /^[\w-]{1,40}$/.test(name) && name.replace(/\D/g, "").length < 4;
}

export function shownHeaderName(name: string): string {
  return isShowable(name) ? `\`${name}\`` : "whose name cannot be shown";
}

/** Does a header of this name carry a key? Such a header belongs to an endpoint, whose origin it is for. */
export function isKeyHeader(name: string): boolean {
  return /authorization|cookie|api-?key|(auth|access|secret|security|subscription)-?(key|token)|-auth$/i.test(name);
}
