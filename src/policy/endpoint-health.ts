/** What is remembered of each endpoint, by name. Names may come from URLs that strangers chose, so there is a bound. */
import type { Breaker } from "./breaker.ts";

export interface EndpointHealth {
  /** `null` until a client that has breakers begins an attempt there. */
  breaker: Breaker | null;
  /** It asked to be left alone until then. */
  restUntil: number;
}

export interface EndpointTable extends Iterable<[string, EndpointHealth]> {
  /** Reading does not remember. */
  find(name: string): EndpointHealth | undefined;
  /** The one in use is the last to be forgotten. */
  use(name: string): EndpointHealth;
}

const MOST_ENDPOINTS = 1_024;

export function createEndpointTable(): EndpointTable {
  const endpoints = new Map<string, EndpointHealth>();
  return {
    find: (name) => endpoints.get(name),
    use(name) {
      const endpoint = endpoints.get(name) ?? { breaker: null, restUntil: -Infinity };
      endpoints.delete(name);
      endpoints.set(name, endpoint);
      if (endpoints.size > MOST_ENDPOINTS) {
        for (const oldest of endpoints.keys()) {
          endpoints.delete(oldest);
          break;
        }
      }
      return endpoint;
    },
    [Symbol.iterator]: () => endpoints.entries(),
  };
}
