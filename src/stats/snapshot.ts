/** Tails as JSON and back: to keep them over a restart, and to add up the processes of a fleet. */
import * as z from "zod/mini";
import { type Measures, SKETCHES, type SketchName } from "./measures.ts";
import type { StatsKey } from "./row.ts";
import { BUCKETS, type Sketch, type SketchJson } from "./sketch.ts";
import { MOST_CHARACTERS, type Tails } from "./tails.ts";

/** JSON. What changes incompatibly gets another `format`. */
export interface StatsSnapshot {
  readonly format: "ttft-stats/1";
  readonly data: unknown;
}

/** Built when the first snapshot is read: who reads none does not pay for it. */
function buildSchema() {
  const count = z.int().check(z.minimum(0), z.maximum(2 ** 32 - 1));
  const name = z.string().check(z.maxLength(MOST_CHARACTERS));
  const sketch = z
    .strictObject({ first: z.int().check(z.minimum(0)), counts: z.array(count).check(z.maxLength(BUCKETS)) })
    .check(z.refine(({ first, counts }) => first + counts.length <= BUCKETS));
  const reason = z.string().check(z.regex(/^_?[A-Za-z][\w-]{0,63}$/));
  const stretch = z.strictObject({
    at: z.nullable(z.number().check(z.minimum(0), z.maximum(8.64e15))),
    failures: z.array(z.tuple([reason, count])).check(z.maxLength(100)),
    ttft: sketch,
    answered: sketch,
    unanswered: sketch,
    largestGap: sketch,
  });
  const row = z.strictObject({
    endpoint: name,
    model: name,
    label: z.nullable(name),
    band: z.enum(["<2k", "2k-16k", "16k-64k", ">=64k", "unknown"]),
    stretches: z.array(stretch).check(z.maxLength(3)),
  });
  return z.strictObject({ format: z.literal("ttft-stats/1"), data: z.array(row).check(z.maxLength(10_000)) });
}

let schema: ReturnType<typeof buildSchema> | undefined;

export function snapshotOf(tails: Tails): StatsSnapshot {
  const data = Array.from(tails.rows(), (row) => ({
    ...row.key,
    stretches: Array.from(row.stretches(), ([stretch, measures]) => ({
      at: tails.calendar.endOf(stretch),
      ...measuresAsJson(measures),
    })),
  }));
  return { format: "ttft-stats/1", data };
}

/**
 * Adds what a snapshot holds; what is older than the window is left out. All or nothing.
 * @throws TypeError if it is not a snapshot: the message names the place, never what stood there.
 */
export function mergeSnapshot(tails: Tails, snapshot: unknown): void {
  schema ??= buildSchema();
  const parsed = schema.safeParse(snapshot);
  if (!parsed.success) {
    const place = parsed.error.issues[0]?.path.join(".") || "the whole";
    throw new TypeError(
      `\`snapshot\` is not what \`stats.snapshot()\` returned: ${place} is not of format ttft-stats/1`,
    );
  }
  const rows = parsed.data.data;
  // First the time, then the samples: which of them are over depends on it.
  for (const { stretches } of rows) for (const { at } of stretches) if (at !== null) tails.calendar.hearOf(at);
  for (const { stretches, ...key } of rows) for (const stretch of stretches) mergeStretch(tails, key, stretch);
}

type StretchJson = z.infer<ReturnType<typeof buildSchema>>["data"][number]["stretches"][number];

function mergeStretch(tails: Tails, key: StatsKey, json: StretchJson): void {
  const stretch = tails.calendar.stretchOf(json.at);
  if (tails.calendar.isOver(stretch)) return;
  const measures = tails.row(key).filling(stretch);
  for (const [reason, count] of json.failures) measures.fail(reason, count);
  for (const name of SKETCHES) addCounts(measures[name], json[name]);
}

function addCounts(sketch: Sketch, { first, counts }: SketchJson): void {
  counts.forEach((count, at) => {
    if (count > 0) sketch.addTo(first + at, count);
  });
}

function measuresAsJson(measures: Measures): Omit<StretchJson, "at"> {
  const json = (name: SketchName) => {
    const { first, counts } = measures[name].toJSON();
    return { first, counts: [...counts] };
  };
  return {
    failures: [...measures.failures],
    ttft: json("ttft"),
    answered: json("answered"),
    unanswered: json("unanswered"),
    largestGap: json("largestGap"),
  };
}
