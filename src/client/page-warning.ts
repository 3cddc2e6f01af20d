/** A key in a page is everybody's key: said once, to whoever opens the console. */
import { entriesOf, isKeyHeader } from "../attempt/headers.ts";
import type { ResolvedEndpoint } from "../route/endpoint.ts";

/** Hosts whose keys cost money: a relay of one's own may well take something static. */
const PROVIDERS =
  /(^|\.)(openai\.com|openai\.azure\.com|anthropic\.com|googleapis\.com|groq\.com|openrouter\.ai|mistral\.ai|deepseek\.com|x\.ai|cohere\.com|perplexity\.ai|together\.xyz)$/;

let warned = false;

export function warnOfKeysInPage(chain: readonly ResolvedEndpoint[]): void {
  if (warned || globalThis.document === undefined) return;
  const exposed = chain.find((endpoint) => PROVIDERS.test(endpoint.address.url.hostname) && hasStaticKey(endpoint));
  if (!exposed) return;
  warned = true;
  console.warn(
    `ttft: the key of endpoint "${exposed.name}" stands in a page, where everybody can read it: relay the call through a server`,
  );
}

function hasStaticKey({ apiKey, headers }: ResolvedEndpoint): boolean {
  if (typeof apiKey === "string") return true;
  return typeof headers === "object" && entriesOf(headers).some(([name]) => isKeyHeader(name));
}
