/**
 * What a request needs of an endpoint, read from its body, and whether an endpoint has it. The body may be of any
 * protocol: their shapes do not contradict each other, so none is asked for by name.
 */
import type { Fields } from "../attempt/body.ts";
import type { SkipReason } from "../policy/states.ts";

export interface Capabilities {
  readonly tools?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly vision?: boolean | undefined;
  readonly contextTokens?: number | undefined;
  /** Holds what a request refers to by id (previous responses, files, caches, signatures). Default: the first endpoint only. */
  readonly state?: boolean | undefined;
}

export interface Needs {
  readonly tools: boolean;
  readonly json: boolean;
  readonly vision: boolean;
  readonly contextTokens: number;
  readonly state: boolean;
}

interface HasCapabilities {
  readonly capabilities: Capabilities;
}

const EVERYTHING: Needs = { tools: true, json: true, vision: true, contextTokens: Infinity, state: true };
export const NO_NEEDS: Needs = { tools: false, json: false, vision: false, contextTokens: 0, state: false };

/** Is there a request that this endpoint would be passed over for? If not for any of a chain, needs need not be read. */
export function isRestricted(endpoint: HasCapabilities, isFirst: boolean): boolean {
  return missing(EVERYTHING, endpoint, isFirst) !== null;
}

/** Why it is passed over, `null` if it can do all of it. What is left out works, but only the first endpoint has state. */
export function missing(needs: Needs, { capabilities }: HasCapabilities, isFirst: boolean): SkipReason | null {
  const { tools, json, vision, contextTokens = Infinity, state = isFirst } = capabilities;
  const lacks =
    (needs.tools && tools === false) ||
    (needs.json && json === false) ||
    (needs.vision && vision === false) ||
    needs.contextTokens > contextTokens ||
    (needs.state && !state);
  return lacks ? "capability" : null;
}

/** `promptTokens`: known or estimated; `null` if neither. */
export function needsOf(body: Fields, promptTokens: number | null): Needs {
  const seen = { vision: false, state: BY_ID.some((field) => Boolean(body[field])) || Boolean(body.prompt?.id) };
  for (const field of ["messages", "input", "contents", "system", "tools"]) visit(body[field], seen, 0);
  return {
    tools: isFilled(body.tools) || isFilled(body.functions),
    json: asksForJson(body),
    vision: seen.vision,
    contextTokens: promptTokens ?? 0,
    state: seen.state,
  };
}

/** Of a request: what the provider keeps and the request only names. */
const BY_ID = ["previous_response_id", "conversation", "container", "cachedContent", "cached_content"];

function asksForJson({
  response_format,
  text,
  generationConfig: config,
  format,
  output_format,
  output_config,
}: Fields): boolean {
  const formats = [response_format?.type, text?.format?.type, output_format?.type, output_config?.format?.type];
  return (
    formats.some((type) => typeof type === "string" && type !== "text") ||
    Boolean(format) ||
    config?.responseMimeType === "application/json" ||
    Boolean(config?.responseSchema ?? config?.responseJsonSchema)
  );
}

/** Deeper than any protocol nests; what a user nests more deeply is data. */
const DEEPEST = 16;
const set = (words: string) => new Set<unknown>(words.split(" "));
/** Under these names stands what users and models made up, in which any word may occur. */
const DATA = set("input args arguments parameters input_schema function response metadata");
const IMAGE_TYPES = set("image image_url input_image image_file video video_url input_video computer_screenshot");
const STATEFUL_TYPES = set("reasoning redacted_thinking item_reference reasoning.encrypted");
/** Texts under these names are ids of what a provider keeps, or what only it can read. */
const STATE_TEXTS = set(
  "file_id fileUri file_uri container container_id encrypted_content encrypted_index signature thoughtSignature thought_signature",
);
const STATE_LISTS = set("file_ids vector_store_ids fileSearchStoreNames file_search_store_names");

interface Seen {
  vision: boolean;
  state: boolean;
}

/** Looks at every message, part and tool; texts, the bulk of a request, are not read. */
function visit(node: unknown, seen: Seen, depth: number): void {
  if (typeof node !== "object" || node === null || depth > DEEPEST) return;
  if (Array.isArray(node)) {
    for (const inner of node) visit(inner, seen, depth + 1);
    return;
  }
  for (const [name, value] of Object.entries(node)) {
    if (typeof value === "string") look(name, value, seen);
    else if (!DATA.has(name)) {
      seen.vision ||= name === "images" && isFilled(value);
      seen.state ||= STATE_LISTS.has(name) ? isFilled(value) : name === "audio" && typeof value?.id === "string";
      visit(value, seen, depth + 1);
    }
  }
}

function look(name: string, value: string, seen: Seen): void {
  if (name === "type") {
    seen.vision ||= IMAGE_TYPES.has(value);
    seen.state ||= STATEFUL_TYPES.has(value);
  } else if (name === "mimeType" || name === "mime_type") seen.vision ||= /^(image|video)\//.test(value);
  else seen.state ||= STATE_TEXTS.has(name) && value !== "";
}

/** A list with something in it. */
export function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}
