/** Token counts as metrics: one histogram by type in the older names, a counter for each kind in the newer. */
import type { Attributes, Context, Meter } from "@opentelemetry/api";
import type { Usage } from "../protocol/protocol.ts";
import { createHistogram } from "./histogram.ts";
import { NEW_NAMES, TOKEN_BOUNDS } from "./names.ts";

export type RecordTokens = (usage: Usage, attributes: Attributes, context: Context) => void;

/** What the conventions call each count. Cached and reasoning tokens are parts of input and output. */
const TOKEN_NAMES = {
  inputTokens: "input_tokens",
  outputTokens: "output_tokens",
  cachedInputTokens: "cache_read.input_tokens",
  reasoningTokens: "reasoning.output_tokens",
} as const satisfies { readonly [Count in keyof Usage]: string };

/** The wholes; the others are parts of them. */
const TYPES = { inputTokens: "input", outputTokens: "output" } as const;

export function tokenInstruments(meter: Meter, oldNames: boolean): RecordTokens {
  return oldNames ? byType(meter) : byKind(meter);
}

function byType(meter: Meter): RecordTokens {
  const tokens = createHistogram(meter, "gen_ai.client.token.usage", "{token}", TOKEN_BOUNDS);
  return (usage, attributes, context) => {
    for (const [count, type] of entriesOf(TYPES)) {
      const value = usage[count];
      if (value !== null) tokens.record(value, { ...attributes, "gen_ai.token.type": type }, context);
    }
  };
}

function byKind(meter: Meter): RecordTokens {
  const instruments = entriesOf(TOKEN_NAMES).map(([count, name]) => {
    const total = meter.createCounter(`${NEW_NAMES}usage.${name}`, { unit: "{token}" });
    return {
      count,
      total,
      perCall: count in TYPES ? createHistogram(meter, `${NEW_NAMES}operation.${name}`, "{token}", TOKEN_BOUNDS) : null,
    };
  });
  return (usage, attributes, context) => {
    for (const { count, total, perCall } of instruments) {
      const value = usage[count];
      if (value === null) continue;
      // Providers count text, images and sound together.
      total.add(value, { ...attributes, "gen_ai.token.modality": "unknown" }, context);
      perCall?.record(value, attributes, context);
    }
  };
}

function entriesOf<Name extends string, Value>(record: Readonly<Record<Name, Value>>) {
  return Object.entries(record) as [Name, Value][];
}
