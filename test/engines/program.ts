/**
 * What the library has to do on every engine, in web APIs only: it is bundled and run in browsers, Bun, Deno, workerd and
 * Node. `base` is the address of a stub that plays `SCRIPTS`.
 */
import { createClient, createFetch, IncompleteTurnError, type Limits, type Observer, turnOf } from "../../src/index.ts";

export interface Finding {
  readonly name: string;
  /** `null`: as it should be. */
  readonly problem: string | null;
}

const PATH = "/v1/chat/completions";
const BODY = { messages: [{ role: "user", content: "hi" }] };

/** What an SDK would give to `fetch`. */
const REQUEST = {
  method: "POST",
  headers: { "content-type": "application/json" },
  body: JSON.stringify({ ...BODY, stream: true }),
};

export async function findings(base: string): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const problem = await check(base).then(
      () => null,
      (error: unknown) => String(error),
    );
    found.push({ name, problem });
  }
  return found;
}

function clientAt(base: string, scripts: readonly string[], limits: Limits = {}, observers: Observer[] = []) {
  const endpoints = scripts.map((script) => {
    return { name: script, protocol: "openai-chat", url: `${base}/${script}${PATH}`, apiKey: "k", model: "m" } as const;
  });
  return createClient({ endpoints, limits, observers, retry: { maxRetries: 0 } });
}

function same(seen: unknown, expected: unknown): void {
  const [left, right] = [JSON.stringify(seen), JSON.stringify(expected)];
  if (left !== right) throw new Error(`${left} instead of ${right}`);
}

/** The stub counts its answers. */
const withoutIds = (text: string) => text.replace(/chatcmpl-\d+/g, "chatcmpl");

async function thrownBy(promise: Promise<unknown>): Promise<any> {
  const nothing = {};
  const thrown = await promise.then(
    () => nothing,
    (error) => error,
  );
  if (thrown === nothing) throw new Error("nothing was thrown");
  return thrown;
}

const CHECKS: { readonly [name: string]: (base: string) => Promise<void> } = {
  async "a whole answer, with a first token before its end"(base) {
    const turn = await clientAt(base, ["whole"]).turn(BODY);
    if (turn.status !== "complete") throw new Error(turn.reason);
    same(turn.text, "Grüße 🌍");
    const { ttftMs, totalMs } = turn.timing;
    if (ttftMs === null || totalMs === null || ttftMs > totalMs) throw new Error(`${ttftMs} > ${totalMs}`);
  },

  async "events as they come, with the time of the first"(base) {
    const stream = await clientAt(base, ["slow"]).stream(BODY);
    const texts: string[] = [];
    for await (const event of stream) if (event.type === "text") texts.push(event.text);
    same(texts, ["one", "two"]);
    const { ttftMs, totalMs } = (await stream.turn()).timing;
    if (!(Number(totalMs) - Number(ttftMs) > 50)) throw new Error(`first ${ttftMs}, end ${totalMs}`);
    await stream.closed;
  },

  async "a failure after a 200 goes on to the next endpoint, and observers hear of it"(base) {
    const heard: unknown[] = [];
    const observer: Observer = { attemptEnd: ({ endpoint }, { outcome }) => heard.push([endpoint, outcome]) };
    const turn = await clientAt(base, ["broken", "whole"], {}, [observer]).turn(BODY);
    same(turn.status, "complete");
    same(heard, [
      ["broken", "provider_error"],
      ["whole", "complete"],
    ]);
  },

  async "a silent endpoint is left for the next one"(base) {
    const turn = await clientAt(base, ["silent", "whole"], { firstTokenMs: 150 }).turn(BODY);
    same([turn.status, turn.attempts[0]?.outcome], ["complete", "timeout_first_token"]);
  },

  async "a cut answer is incomplete"(base) {
    const turn = await clientAt(base, ["cut"]).turn(BODY);
    if (turn.status !== "incomplete") throw new Error(turn.status);
    same([turn.reason, turn.partialText], ["closed_before_terminal", "half"]);
  },

  async "a connection that breaks is incomplete"(base) {
    const turn = await clientAt(base, ["reset"]).turn(BODY);
    if (turn.status !== "incomplete") throw new Error(turn.status);
    same([turn.reason, turn.partialText], ["connection_lost", "half"]);
  },

  async "an answer that stops coming ends by the idle limit, after what came"(base) {
    const stream = await clientAt(base, ["stalled"], { idleMs: 150 }).stream(BODY);
    let text = "";
    const reading = async () => {
      for await (const piece of stream.textStream()) text += piece;
    };
    const error = await thrownBy(reading());
    same([text, error instanceof IncompleteTurnError && error.turn.reason], ["half", "timeout_idle"]);
  },

  async "break closes the connection"(base) {
    const stream = await clientAt(base, ["left-by-break"]).stream(BODY);
    for await (const _ of stream) break;
    const turn = await stream.turn();
    same(turn.status === "incomplete" && turn.reason, "aborted");
    await stream.closed;
  },

  async "a stop button closes the connection"(base) {
    const controller = new AbortController();
    const stream = await clientAt(base, ["left-by-abort"]).stream(BODY, { signal: controller.signal });
    controller.abort();
    const turn = await stream.turn();
    same(turn.status === "incomplete" && turn.reason, "aborted");
  },

  async "the drop-in hands on the very bytes, and knows the turn behind them"(base) {
    const plain = await (await fetch(`${base}/whole${PATH}`, REQUEST)).text();
    const response = await createFetch()(`${base}/whole${PATH}`, REQUEST);
    same(withoutIds(await response.text()), withoutIds(plain));
    same((await turnOf(response))?.status, "complete");
  },

  async "the drop-in breaks the body of a cut answer"(base) {
    const response = await createFetch()(`${base}/cut${PATH}`, REQUEST);
    await thrownBy(response.text());
    same((await turnOf(response))?.status, "incomplete");
  },

  async "a relayed response carries the bytes and nothing of the provider's headers"(base) {
    const response = await clientAt(base, ["whole"]).response(BODY);
    same([response.status, response.headers.get("cache-control")], [200, "no-store"]);
    if (!(await response.text()).includes("[DONE]")) throw new Error("no [DONE]");
  },
};
