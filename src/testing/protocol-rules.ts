/** What every protocol owes its users, as rules that a sample can break. */
import type { Protocol } from "../protocol/protocol.ts";
import { hasInvalidToolCalls } from "../turn/tool-calls.ts";
import { boundariesOf, splice } from "./boundaries.ts";
import { type Reading, readBy } from "./protocol-run.ts";

export interface Specimen {
  readonly protocol: Protocol;
  readonly bytes: Uint8Array;
  /** The sample read in one piece. */
  readonly whole: Reading;
}

/** `null`: it holds. Else what broke it, in words. */
export type Rule = (specimen: Specimen) => string | null;

const EVERY_BYTE_UP_TO = 2_048;
const CUTS_BEYOND = 256;

/** In whatever pieces the bytes come, and whatever came before on another connection, the events are the same. */
const slicing: Rule = ({ protocol, bytes, whole }) => {
  for (const size of [1, 2, 7, 64]) {
    const reading = readBy(protocol, slices(bytes, size));
    if (!same(reading, whole)) return `in pieces of ${size} bytes it gives ${shown(reading)}, whole ${shown(whole)}`;
  }
  return null;
};

/** Cut anywhere, an answer is complete only if nothing of it is missing; what came is the beginning of what would have come. */
const cutAnywhere: Rule = ({ protocol, bytes, whole }) => {
  for (const cut of cutsOf(bytes, protocol)) {
    const reading = readBy(protocol, [bytes.subarray(0, cut)]);
    const where = `cut after ${cut} of ${bytes.length} bytes`;
    if (reading.outcome === "complete" && !sameAnswer(reading, whole))
      return `${where} it is complete, with ${shown(reading)} in place of ${shown(whole)}`;
    if (!isBeginning(reading, whole)) return `${where} it holds what the whole one does not: ${shown(reading)}`;
  }
  return null;
};

/** Keep-alives and frames that nobody knows change nothing, and are no answer by themselves. */
const keepAlive: Rule = ({ protocol, bytes, whole }) => {
  if (whole.isDocument) return null;
  for (const [name, noise] of NOISE[protocol.framing]) {
    const noisy = splice(bytes, boundariesOf(bytes, protocol.framing), noise);
    const reading = readBy(protocol, [noisy]);
    if (!sameAnswer(reading, whole)) return `with ${name} between its frames it gives ${shown(reading)}`;
    const alone = readBy(protocol, [splice(noisy.subarray(0, 0), [0, 0], noise)]);
    if (alone.outcome !== "empty") return `${name} alone give ${shown(alone)}: they must be no answer`;
  }
  return null;
};

const NOISE = {
  sse: [
    ["comments", ": ping\n\n"],
    ["empty events", "data:\n\n"],
    ["pings", 'event: ping\ndata: {"type":"ping"}\n\n'],
    ["unknown events", 'data: {"type":"unknown_to_all"}\n\n'],
  ],
  ndjson: [
    ["empty lines", "\n"],
    ["unknown lines", '{"type":"unknown_to_all"}\n'],
  ],
} as const satisfies Record<Protocol["framing"], readonly (readonly [string, string])[]>;

/** A failure between any two frames ends the answer, whatever follows; so does a frame that is no JSON. */
const error: Rule = ({ protocol, bytes, whole }) => {
  if (whole.isDocument || whole.outcome === "provider_error") return null;
  const boundaries = boundariesOf(bytes, protocol.framing);
  for (const [expected, data] of FAILURES) {
    if (expected === "malformed_event" && !whole.speaksJson) continue;
    const frame = protocol.framing === "sse" ? `data: ${data}\n\n` : `${data}\n`;
    for (const at of boundaries) {
      if (readBy(protocol, [bytes.subarray(0, at)]).settledEarly) break;
      const reading = readBy(protocol, [splice(bytes, [at], frame)]);
      if (reading.outcome !== expected || !isBeginning(reading, whole))
        return `with ${data} after ${at} bytes it gives ${shown(reading)}: it must end as ${expected}`;
    }
  }
  return null;
};

const FAILURES = [
  ["provider_error", '{"error":{"type":"overloaded_error","code":"overloaded_error","message":"Overloaded"}}'],
  ["malformed_event", '{"cut": "in the mid'],
] as const;

/** A whole answer's calls have arguments that parse, those in free text apart. */
const tools: Rule = ({ whole }) => {
  if (whole.outcome !== "complete") return null;
  const broken = whole.toolCalls.find((call) => hasInvalidToolCalls([call], whole.output));
  return broken ? `the arguments of call ${broken.index} (${broken.name}) are not JSON: ${broken.arguments}` : null;
};

/** What a decoder may emit, and that it may not throw. */
const events: Rule = ({ whole }) => whole.offence;

export const RULES: readonly (readonly [name: string, rule: Rule])[] = [
  ["event", events],
  ["slicing", slicing],
  ["cut-anywhere", cutAnywhere],
  ["keep-alive", keepAlive],
  ["error", error],
  ["tool", tools],
];

function* slices(bytes: Uint8Array, size: number): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Every byte of a short sample; of a long one the bytes around its frames' ends and some in between. */
function cutsOf(bytes: Uint8Array, { framing }: Protocol): ReadonlySet<number> {
  const step = bytes.length <= EVERY_BYTE_UP_TO ? 1 : Math.ceil(bytes.length / CUTS_BEYOND);
  const cuts = new Set<number>();
  for (let at = 0; at < bytes.length; at += step) cuts.add(at);
  if (step > 1)
    for (const at of boundariesOf(bytes, framing)) for (const by of [-2, -1, 0, 1]) cuts.add(Math.max(0, at + by));
  return cuts;
}

const answerOf = ({ text, reasoning, refusal, toolCalls }: Reading) => ({ text, reasoning, refusal, toolCalls });
const sameAnswer = (one: Reading, other: Reading) =>
  one.outcome === other.outcome && JSON.stringify(answerOf(one)) === JSON.stringify(answerOf(other));
const same = (one: Reading, other: Reading) =>
  sameAnswer(one, other) && JSON.stringify([one.events, one.usage]) === JSON.stringify([other.events, other.usage]);

function isBeginning(part: Reading, whole: Reading): boolean {
  const texts = (["text", "reasoning", "refusal"] as const).every((field) => whole[field].startsWith(part[field]));
  return (
    texts &&
    part.toolCalls.every((call, at) => {
      const same = whole.toolCalls[at];
      return same?.id === call.id && same.name === call.name && same.arguments.startsWith(call.arguments);
    })
  );
}

const shown = (reading: Reading): string => {
  const { toolCalls } = reading;
  const text = reading.text.length > 80 ? `…${reading.text.slice(-80)}` : reading.text;
  const calls = toolCalls.length === 0 ? "" : ` and ${toolCalls.length} tool calls`;
  return `${reading.outcome} ${JSON.stringify(text)}${calls}${reading.offence === null ? "" : ` (${reading.offence})`}`;
};
