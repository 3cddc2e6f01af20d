/** What a case needs of the library: the first thing that is missing names why the case cannot be played yet. */
import type { CaseClient, StreamCase } from "./format.ts";
import { accepts, type Loaded, speaks } from "./library.ts";

const second = { name: "B", protocol: "openai-chat", url: "http://127.0.0.1:9/B/v1/chat/completions" };
const first = { ...second, name: "A", url: "http://127.0.0.1:9/A/v1/chat/completions" };

/** Client keys that stand for an option of `createClient` which may not exist yet. */
const options: readonly [needed: (client: CaseClient) => unknown, name: string, option: object][] = [
  [(client) => (client.endpoints?.length ?? 1) > 1, "several endpoints", { endpoints: [first, second] }],
  [(client) => client.breaker, "breaker", { breaker: { consecutiveFailures: 2 } }],
  [(client) => client.retryBudget, "retry budget", { retryBudget: { ratio: 0.2 } }],
  [(client) => client.hedge, "hedge", { endpoints: [first, second], hedge: { afterMs: 100 } }],
];

/** `null` if the case can be played. */
export function missingFor(script: StreamCase, { library, otel, openai }: Loaded): string | null {
  if (script.client.action === "packaging") return null;
  if (!library.createClient) return "createClient";
  if (script.protocol !== "any" && !speaks(library, script.protocol)) return `protocol ${script.protocol}`;
  if ((script.client.via || script.expect.dropInFetch) && !library.createFetch) return "createFetch";
  if (script.client.via === "openai-sdk" && !openai) return "the openai package";
  if (script.expect.toolCalls && !library.executableToolCalls) return "executableToolCalls";
  if (script.client.otel && !otel) return "the otel entry";
  return options.find(([needed, , option]) => needed(script.client) && !accepts(library, option))?.[1] ?? null;
}
