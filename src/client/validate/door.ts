/** Options are checked once, where they come in; behind these functions everything may rely on them. */
import type { Endpoint } from "../../route/endpoint.ts";
import type { ClientOptions, FetchOptions, PrimaryTraits } from "../options.ts";
import { type Check, isPlain, kindOf, must, shape, wrong } from "./check.ts";
import { checkBodies, checkNames, endpointList, traits } from "./endpoint.ts";
import { callOptions, sharedOptions } from "./options.ts";

const clientShape = shape<ClientOptions>({ ...sharedOptions, endpoints: endpointList }, ["endpoints"]);

/** @throws TypeError that names the option, what it is and what is allowed; never a key, a header or a prompt. */
export function validateClientOptions(options: ClientOptions<any>): void {
  clientShape(options, "");
  if (options.endpoints.length === 0) throw wrong("endpoints", "an empty array", "at least one endpoint");
  checkNames(options.endpoints, "endpoints");
  checkBodies(options.endpoints, "endpoints");
}

const ORIGIN = 'an origin such as "https://api.example.com", or an array of them';
const origin: Check = (value, path) => {
  for (const each of Array.isArray(value) ? value : [value]) {
    must(ORIGIN, (given) => typeof given === "string")(each, path);
    if (originOf(each) !== each.replace(/\/$/, "").toLowerCase())
      throw wrong(path, "something else than an origin", ORIGIN);
  }
};

const fetchShape = shape<FetchOptions>({
  ...sharedOptions,
  primary: shape<PrimaryTraits>({ ...traits, origin }),
  fallbacks: endpointList,
});

/** @throws TypeError */
export function validateFetchOptions(options: FetchOptions): void {
  fetchShape(options, "");
  const { primary, fallbacks = [] } = options;
  if (fallbacks.length === 0) return;
  const origins = [primary?.origin ?? []].flat();
  if (origins.length === 0) {
    throw wrong(
      "primary.origin",
      kindOf(primary?.origin),
      `${ORIGIN}, so that only calls to it spend the keys of \`fallbacks\``,
    );
  }
  const names = primary?.name === undefined ? origins.map((each) => new URL(each).host) : [primary.name];
  checkNames(fallbacks as readonly Endpoint[], "fallbacks", names);
}

/** The two arguments of a call. @throws TypeError */
export function validateCall(body: unknown, options: unknown): void {
  if (!isPlain(body)) throw wrong("body", kindOf(body), "an object: the request in the protocol of the first endpoint");
  if (options !== undefined) callOptions(options, "");
}

function originOf(address: string): string | null {
  try {
    const { origin } = new URL(address);
    return origin.startsWith("http") ? origin : null;
  } catch {
    return null;
  }
}
