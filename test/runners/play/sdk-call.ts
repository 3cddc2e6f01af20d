/** A call that the OpenAI SDK makes over the function of `createFetch`, with the SDK's own defaults. */
import { reasoningIn, textIn } from "../stub/bytes-reader.ts";
import type { Conduct } from "./conduct.ts";
import { fetchOf, firstEndpoint, headOf, holdTurn, letGo, nothing, secondTime, turnOf } from "./drop-in.ts";
import type { Taken } from "./observed.ts";
import { sentBodyOf } from "./requests.ts";
import type { World } from "./world.ts";

interface Opened {
  readonly data: AsyncIterable<object>;
  readonly response: Response;
}

export async function callSdk(world: World, conduct: Conduct): Promise<Taken> {
  let opened: Opened;
  try {
    opened = await openChunks(world, conduct.signal);
  } catch (rejection) {
    return { ...nothing, rejection };
  }
  const { data, response } = opened;
  const read = await readChunks(world, opened, conduct);
  await letGo(world);
  const turn = await turnOf(world, response);
  const second = await secondTime(world, async () => {
    for await (const _ of data);
  });
  return { ...read, turn, second, response: headOf(response), asBytes: true };
}

export async function openChunks(world: World, signal: AbortSignal | null): Promise<Opened> {
  const { script, protocol, stub, loaded } = world;
  if (!loaded.openai) throw new Error("the openai package is not installed");
  const baseURL = `${stub.base}/${firstEndpoint(world)}/v1`;
  const sdk = new loaded.openai.default({ fetch: fetchOf(world), baseURL, apiKey: "a-key-of-the-case" });
  const apis: Readonly<Record<string, any>> = {
    "openai-responses": sdk.responses,
    "openai-completions": sdk.completions,
  };
  const api = apis[protocol] ?? sdk.chat.completions;
  const options = { headers: script.client.request?.headers, signal: signal ?? undefined };
  return api.create({ ...sentBodyOf(protocol, script.client), stream: true }, options).withResponse();
}

async function readChunks(world: World, { data, response }: Opened, conduct: Conduct) {
  const iterator = data[Symbol.asyncIterator]();
  conduct.close = () => void iterator.return?.();
  let text = "";
  let reasoning = "";
  let first = true;
  let thrown: unknown;
  try {
    for await (const chunk of { [Symbol.asyncIterator]: () => iterator }) {
      if (first) holdTurn(world, response);
      first = false;
      const data = JSON.stringify(chunk);
      text += textIn(world.protocol, data);
      reasoning += reasoningIn(world.protocol, data);
      const after = conduct.after(text !== "");
      if (conduct.slow) await after;
      if (conduct.left) break;
    }
  } catch (error) {
    thrown = error;
  }
  return { text, reasoning, thrown };
}
