/** What an endpoint may be, alone and within its chain. */
import { addressFault, mayCarryKey, parseAddress } from "../../attempt/address.ts";
import { entriesOf, isKeyHeader } from "../../attempt/headers.ts";
import { protocols } from "../../protocol/builtins.ts";
import type { Capabilities } from "../../route/capabilities.ts";
import type { Endpoint, EndpointTraits } from "../../route/endpoint.ts";
import { nameOf } from "../../route/endpoint.ts";
import type { AttemptLimits } from "../../timing/limits.ts";
import {
  type Check,
  type Checks,
  isFunction,
  isPlain,
  kindOf,
  listOf,
  must,
  oneOf,
  shape,
  shown,
  wrong,
} from "./check.ts";
import { above0, attemptLimits, flag, headers, text } from "./options.ts";

const protocol: Check = (value, path) => {
  const ours = Object.keys(protocols);
  if (ours.includes(value) || (isPlain(value) && typeof value.name === "string" && isFunction(value.createDecoder)))
    return;
  throw wrong(path, shown(value), `${ours.map(shown).join(", ")}, or what \`defineProtocol()\` gives`);
};

export const traits: Checks<EndpointTraits> = {
  name: text,
  protocol,
  completion: oneOf("strict", "lenient"),
  capabilities: shape<Capabilities>({
    tools: flag,
    json: flag,
    vision: flag,
    contextTokens: above0,
    state: flag,
  }),
  limits: shape<AttemptLimits>(attemptLimits),
  refusalCodes: listOf(text, "an array of strings"),
  requestIdHeader: text,
};

/** Nothing of an address is repeated: what cannot be parsed may be a key in the wrong place. */
const url: Check = (value, path) => {
  const problem = typeof value === "string" || value instanceof URL ? addressFault(value) : kindOf(value);
  if (problem === null) return;
  throw wrong(path, problem, "an `https:` or `http:` address, or in a page a relative one; keys go into `apiKey`");
};

const KEY = "a string, or a function that gives one";

const endpointShape = shape<Endpoint>(
  {
    ...traits,
    url,
    apiKey: must(KEY, (value) => typeof value === "string" || isFunction(value)),
    allowInsecure: flag,
    model: text,
    headers: (value, path) => isFunction(value) || headers(value, path),
    body: must("an object, or a function that gives one", (value) => isPlain(value) || isFunction(value)),
  },
  ["protocol", "url"],
);

const endpoint: Check = (value, path) => {
  endpointShape(value, path);
  const { apiKey, allowInsecure, headers: own } = value;
  if ("apiKey" in value && !apiKey) {
    throw wrong(`${path}.apiKey`, kindOf(apiKey), `${KEY} (is the environment variable set?)`);
  }
  const held = isFunction(own) ? [] : entriesOf(own);
  const hasKey = apiKey !== undefined || held.some(([name, content]) => content !== undefined && isKeyHeader(name));
  const address = parseAddress(value.url);
  if (hasKey && !allowInsecure && !address.unresolved && !mayCarryKey(address.url)) {
    const allowed = "`https:`, this machine, or `allowInsecure: true`";
    throw wrong(`${path}.url`, "an address that sends a key over plain `http:`", allowed);
  }
};

export const endpointList = listOf(endpoint, "an array of endpoints");

/** Records, breakers and metrics are kept by name. `taken`: names that are in use. */
export function checkNames(endpoints: readonly Endpoint[], path: string, taken: readonly string[] = []): void {
  const names = new Set(taken);
  endpoints.forEach((each, at) => {
    const name = nameOf(each);
    const got = `${shown(name)}${each.name === undefined ? " (its host)" : ""}, which is taken`;
    if (names.has(name)) throw wrong(`${path}[${at}].name`, got, "a name that no other endpoint of the chain has");
    names.add(name);
  });
}

/** A request is written in the protocol of the first endpoint; for another one somebody has to write it anew. */
export function checkBodies(endpoints: readonly Endpoint[], path: string): void {
  const spoken = endpoints.map((each) => (typeof each.protocol === "string" ? each.protocol : each.protocol.name));
  endpoints.forEach(({ body }, at) => {
    if (spoken[at] === spoken[0] || isFunction(body)) return;
    const allowed = `a function that writes the request for ${shown(spoken[at])}, since it comes written for ${shown(spoken[0])}`;
    throw wrong(`${path}[${at}].body`, kindOf(body), allowed);
  });
}
