/** A call of the function that `createFetch` makes; its bytes are read directly. */
import { holdsContent, holdsSuccess, reasoningOf, textOf } from "../stub/bytes-reader.ts";
import type { Conduct } from "./conduct.ts";
import { fetchOf, firstEndpoint, headOf, holdTurn, letGo, nothing, secondTime, turnOf } from "./drop-in.ts";
import type { Taken } from "./observed.ts";
import { sentBodyOf, urlOf } from "./requests.ts";
import type { World } from "./world.ts";

export async function openResponse(world: World, signal: AbortSignal | null): Promise<Response> {
  const { script, protocol, stub } = world;
  return fetchOf(world)(urlOf(stub.base, firstEndpoint(world), protocol), {
    method: "POST",
    body: JSON.stringify(sentBodyOf(protocol, script.client)),
    headers: script.client.request?.headers ?? { "content-type": "application/json" },
    signal,
  });
}

export async function callFetch(world: World, conduct: Conduct): Promise<Taken> {
  let response: Response;
  try {
    response = await openResponse(world, conduct.signal);
  } catch (rejection) {
    return { ...nothing, rejection };
  }
  const head = headOf(response);
  if (!response.ok) {
    await response.text();
    return { ...nothing, response: head };
  }
  const { bytes, thrown } = await readBytes(world, response, conduct);
  await letGo(world);
  const turn = await turnOf(world, response);
  const second = await secondTime(world, () => response.text());
  const { protocol } = world;
  const read = { text: textOf(protocol, bytes), reasoning: reasoningOf(protocol, bytes), asBytes: true };
  return { ...read, turn, thrown, second, response: head };
}

async function readBytes(world: World, response: Response, conduct: Conduct) {
  if (!response.body) return { bytes: new TextEncoder().encode(await response.text()), thrown: undefined };
  const { protocol, script } = world;
  const watchesEnd = script.client.at?.event === "terminal";
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
      if (chunks.length === 0) holdTurn(world, response);
      chunks.push(value);
      content ||= holdsContent(protocol, Buffer.concat(chunks));
      const after = conduct.after(content);
      if (conduct.slow) await after;
      if (watchesEnd && holdsSuccess(protocol, Buffer.concat(chunks))) conduct.terminal();
      if (conduct.left) break;
    }
    if (conduct.left) await (cancelled ?? reader.cancel());
  } catch (error) {
    thrown = error;
  }
  reader.releaseLock();
  return { bytes: Buffer.concat(chunks), thrown };
}
