/** A call through `createClient`: `client.stream`, then its events. */
import type { StreamEvent, TurnStream } from "../../../src/index.ts";
import type { Conduct } from "./conduct.ts";
import { letGo, secondTime } from "./drop-in.ts";
import type { Taken } from "./observed.ts";
import { bodyOf } from "./requests.ts";
import type { World } from "./world.ts";

export async function openStream(world: World, signal: AbortSignal | null): Promise<TurnStream> {
  const { client, protocol, script, seen } = world;
  if (!client) throw new Error("there is no client in this world");
  if (signal) seen.signals.add(signal);
  return client.stream(bodyOf(protocol, script.client), signal ? { signal } : undefined);
}

export async function callClient(world: World, conduct: Conduct): Promise<Taken> {
  let stream: TurnStream;
  try {
    stream = await openStream(world, conduct.signal);
  } catch (rejection) {
    return { turn: null, rejection, text: "", reasoning: "", asBytes: false };
  }
  const read = await readEvents(world, stream, conduct);
  await letGo(world);
  const turn = await stream.turn();
  const second = await secondTime(world, async () => {
    for await (const _ of stream);
  });
  return { ...read, turn, second };
}

const isContent = (event: StreamEvent) =>
  event.type === "tool_call" || ((event.type === "text" || event.type === "refusal") && event.text !== "");

async function readEvents({ script }: World, stream: TurnStream, conduct: Conduct) {
  let text = "";
  let reasoning = "";
  let thrown: unknown;
  let first = true;
  const iterator = stream[Symbol.asyncIterator]();
  conduct.close = () => void iterator.return?.();
  try {
    for await (const event of { [Symbol.asyncIterator]: () => iterator }) {
      if (first && script.client.holdUnawaited) void stream.turn();
      first = false;
      if (event.type === "text") text += event.text;
      if (event.type === "reasoning") reasoning += event.text;
      const after = conduct.after(isContent(event));
      if (conduct.slow) await after;
      if (conduct.left) break;
    }
  } catch (error) {
    thrown = error;
  }
  return { text, reasoning, thrown, asBytes: false };
}
