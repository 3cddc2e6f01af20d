/** Calls through `createFetch`: its bytes read directly, or as the OpenAI SDK reads them. */
import type { Turn } from "../../../src/index.ts";
import { holdsContent, holdsSuccess, textIn, textOf } from "../stub/bytes-reader.ts";
import type { Conduct } from "./conduct.ts";
import type { Taken } from "./observed.ts";
import { sentBodyOf, urlOf } from "./requests.ts";
import type { World } from "./world.ts";

const nothing = { turn: null, text: "", reasoning: null };

export async function callFetch(world: World, conduct: Conduct): Promise<Taken> {
  const { script, protocol, stub } = world;
  const endpoint = script.client.endpoints?.[0] ?? "A";
  const init: RequestInit = {
    method: "POST",
    body: JSON.stringify(sentBodyOf(protocol, script.client)),
    headers: script.client.request?.headers ?? { "content-type": "application/json" },
    signal: conduct.signal,
  };
  let response: Response;
  try {
    response = await fetchOf(world)(urlOf(stub.base, endpoint, protocol), init);
  } catch (rejection) {
    return { ...nothing, rejection };
  }
  const head = headOf(response);
  if (!response.ok) {
    await response.text();
    return { ...nothing, response: head };
  }
  const { bytes, thrown } = await readBytes(world, response, conduct);
  const turn = await turnOf(world, response);
  const second = script.client.action === "consumeTwice" ? await readAgain(response) : undefined;
  return { turn, thrown, second, response: head, text: textOf(protocol, bytes), reasoning: null };
}

/** The function under test, called with one `Request` where the case says so. */
function fetchOf({ fetch, script }: World): typeof globalThis.fetch {
  if (!fetch) throw new Error("there is no drop-in in this world");
  return script.client.input ? (input, init) => fetch(new Request(input, init)) : fetch;
}

function headOf({ status, headers }: Response) {
  return { status, headers, contentType: (headers.get("content-type") ?? "").split(";")[0]?.trim() ?? "" };
}

async function turnOf({ loaded }: World, response: Response): Promise<Turn> {
  const turn = loaded.library.turnOf?.(response);
  if (!turn) throw new Error("turnOf(response) is null");
  return turn;
}

async function readBytes({ protocol, script }: World, response: Response, conduct: Conduct) {
  if (!response.body) return { bytes: new TextEncoder().encode(await response.text()), thrown: undefined };
  const reader = response.body.getReader();
  const chunks: Uint8Array[] = [];
  let content = false;
  let cancelled: Promise<void> | undefined;
  conduct.close = () => {
    cancelled ??= reader.cancel();
  };
  let thrown: unknown;
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      chunks.push(value);
      content ||= holdsContent(protocol, Buffer.concat(chunks));
      const after = conduct.after(content);
      if (conduct.slow) await after;
      if (script.client.at?.event === "terminal" && holdsSuccess(protocol, Buffer.concat(chunks))) conduct.terminal();
      if (conduct.left) break;
    }
    if (conduct.left) await (cancelled ?? reader.cancel());
  } catch (error) {
    thrown = error;
  }
  reader.releaseLock();
  return { bytes: Buffer.concat(chunks), thrown };
}

async function readAgain(response: Response): Promise<unknown> {
  try {
    await response.text();
    return null;
  } catch (error) {
    return error;
  }
}

export async function callSdk(world: World, conduct: Conduct): Promise<Taken> {
  const { script, protocol, stub, loaded } = world;
  if (!loaded.openai) throw new Error("the openai package is not installed");
  const endpoint = script.client.endpoints?.[0] ?? "A";
  const sdk = new loaded.openai.default({
    fetch: fetchOf(world),
    baseURL: `${stub.base}/${endpoint}/v1`,
    apiKey: "a-key-of-the-case",
  });
  const options = { headers: script.client.request?.headers, signal: conduct.signal ?? undefined };
  const api = { "openai-responses": sdk.responses, "openai-completions": sdk.completions }[protocol as string];
  let opened: { readonly data: AsyncIterable<object>; readonly response: Response };
  try {
    opened = await (api ?? sdk.chat.completions).create(sentBodyOf(protocol, script.client), options).withResponse();
  } catch (rejection) {
    return { ...nothing, rejection };
  }
  const read = await readChunks(world, opened.data, conduct);
  const turn = await turnOf(world, opened.response);
  return { ...read, turn, response: headOf(opened.response), reasoning: null };
}

async function readChunks({ protocol }: World, chunks: AsyncIterable<object>, conduct: Conduct) {
  const iterator = chunks[Symbol.asyncIterator]();
  conduct.close = () => void iterator.return?.();
  let text = "";
  let thrown: unknown;
  try {
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator }) {
      text += textIn(protocol, JSON.stringify(chunk));
      const after = conduct.after(text !== "");
      if (conduct.slow) await after;
      if (conduct.left) break;
    }
  } catch (error) {
    thrown = error;
  }
  return { text, thrown };
}
