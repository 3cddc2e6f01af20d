/** Where the time of a column goes, layer by layer: a CPU profile of one child, summed up. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

interface CallFrame {
  readonly functionName: string;
  readonly url: string;
}

interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

export const LAYERS = [
  "fetch: sockets, HTTP, streams",
  "JSON.parse",
  "eventsource-parser",
  "bytes to text",
  "ttft and the column itself",
  "garbage collector",
] as const;
export type Layer = (typeof LAYERS)[number];

const PARSER = /^(processLines|parseLine|processField|checkBufferSize|is(Data|Event)Prefix)$/;

/** `null`: waiting, and what the profiler cannot name. The caller of `JSON.parse` stands for it: built-ins are not seen. */
function layerOf({ functionName, url }: CallFrame): Layer | null {
  if (functionName === "(garbage collector)") return "garbage collector";
  if (functionName.startsWith("(")) return null;
  if (functionName === "parseJson" || functionName === "onEvent") return "JSON.parse";
  if (PARSER.test(functionName)) return "eventsource-parser";
  if (/^(decode|decodeUTF8)$/.test(functionName) && !url.endsWith(".mjs")) return "bytes to text";
  return url.endsWith(".mjs") ? "ttft and the column itself" : "fetch: sockets, HTTP, streams";
}

/** Microseconds per layer. `run` starts a process with the flags that it is given. */
export async function profileOf(
  run: (flags: readonly string[]) => Promise<unknown>,
): Promise<ReadonlyMap<Layer, number>> {
  const folder = await mkdtemp(join(tmpdir(), "bench-profile-"));
  try {
    await run(["--cpu-prof", "--cpu-prof-interval", "200", `--cpu-prof-dir=${folder}`]);
    const [file = ""] = await readdir(folder);
    return summed(JSON.parse(await readFile(join(folder, file), "utf8")));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function summed({ nodes, samples, timeDeltas }: CpuProfile): ReadonlyMap<Layer, number> {
  const layers = new Map(nodes.map(({ id, callFrame }) => [id, layerOf(callFrame)]));
  const sums = new Map<Layer, number>();
  for (const [at, id] of samples.entries()) {
    const layer = layers.get(id) ?? null;
    if (layer !== null) sums.set(layer, (sums.get(layer) ?? 0) + (timeDeltas[at] ?? 0));
  }
  return sums;
}
