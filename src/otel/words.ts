/** What may stand in an attribute: words of a safe alphabet, and of each kind no more than a metric can bear. */
import { type Attributes, diag } from "@opentelemetry/api";

const OTHER = "_OTHER";
const MOST = 100;

/** A name that somebody else chose: as it is if it is a word, else `_OTHER`. */
export function word(text: string | null | undefined): string | undefined {
  if (text === null || text === undefined) return undefined;
  return /^[\w.:/@+~-]{1,128}$/.test(text) ? text : OTHER;
}

/** A name from the caller's own configuration, which may have spaces. */
export function ownName(text: string | null): string | undefined {
  return text === null ? undefined : text.length <= 128 ? text : OTHER;
}

/** Without those that are not known: an SDK makes a series of its own of a value that is `undefined`. */
export function known(attributes: Attributes): Attributes {
  const kept: Attributes = {};
  for (const name in attributes) if (attributes[name] !== undefined) kept[name] = attributes[name];
  return kept;
}

/** One list for the whole process: several observers share their instruments. */
const seen = /* @__PURE__ */ new Map<string, Set<unknown>>(
  [
    "gen_ai.provider.name",
    "gen_ai.request.model",
    "gen_ai.response.model",
    "server.address",
    "ttft.endpoint",
    "ttft.from_endpoint",
    "ttft.label",
  ].map((name) => [name, new Set()]),
);

/**
 * Attributes for a metric: of each name that is not a closed list the first 100 values, `_OTHER` for all that come
 * later. An SDK merges whole series beyond a bound of its own; this one keeps them apart by everything else.
 */
export function bounded(attributes: Attributes): Attributes {
  const kept = known(attributes);
  for (const [name, values] of seen) {
    const value = kept[name];
    if (value === undefined || values.has(value)) continue;
    if (values.size < MOST) values.add(value);
    else {
      kept[name] = OTHER;
      if (!values.has(OTHER)) {
        values.add(OTHER);
        diag.warn(`ttft: more than ${MOST} values of ${name}, later ones are counted as ${OTHER}`);
      }
    }
  }
  return kept;
}
