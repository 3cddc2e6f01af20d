/** What may stand in an attribute: words of a safe alphabet, and of each kind no more than a metric can bear. */
import { type Attributes, type AttributeValue, diag } from "@opentelemetry/api";

/** Attributes, some of them unknown: an SDK would make a series of its own of a value that is `undefined`. */
export interface Known {
  readonly [name: string]: AttributeValue | null | undefined;
}

const OTHER = "_OTHER";
const MOST = 100;

/** A name that somebody else chose: as it is if it is a word, else `_OTHER`. */
export function word(text: string | null): string | null {
  return text === null || /^[\w.:/@+~-]{1,128}$/.test(text) ? text : OTHER;
}

/** A name from the caller's own configuration, which may have spaces. */
export function ownName(text: string | null): string | null {
  return text === null || text.length <= 128 ? text : OTHER;
}

/** The values seen of names without a closed list, for the whole process: several observers share their instruments. */
const seen: Readonly<Record<string, Set<AttributeValue>>> = {
  "gen_ai.provider.name": new Set(),
  "gen_ai.request.model": new Set(),
  "gen_ai.response.model": new Set(),
  "server.address": new Set(),
  "ttft.endpoint": new Set(),
  "ttft.from_endpoint": new Set(),
  "ttft.label": new Set(),
};

/**
 * Attributes for a metric: of each name without a closed list the first 100 values, `_OTHER` for all that come later.
 * An SDK merges whole series beyond a bound of its own; this one keeps them apart by everything else.
 */
export function measured(attributes: Known): Attributes {
  const kept: Attributes = {};
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined && value !== null) kept[name] = limited(name, value);
  }
  return kept;
}

function limited(name: string, value: AttributeValue): AttributeValue {
  const values = seen[name];
  if (!values || values.has(value)) return value;
  if (values.size < MOST) values.add(value);
  if (values.has(value)) return value;
  if (!values.has(OTHER)) diag.warn(`ttft: more than ${MOST} values of ${name}, later ones are counted as ${OTHER}`);
  values.add(OTHER);
  return OTHER;
}
