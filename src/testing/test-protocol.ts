/** The rules of a protocol, run on its author's own samples. */
import { defineProtocol } from "../protocol/define.ts";
import type { Protocol, Usage } from "../protocol/protocol.ts";
import { RULES } from "./protocol-rules.ts";
import { type Reading, readBy } from "./protocol-run.ts";

/** A recorded or hand-made body, and what it says. */
export interface ProtocolSample {
  readonly name: string;
  /** The body as it comes from the server, to its clean end. */
  readonly bytes: string | Uint8Array;
  /** The answer's text, without reasoning. */
  readonly text: string;
  readonly usage?: Usage | undefined;
}

/** Endings that a body may have by itself. What else comes out says that the decoder has not understood it. */
const PROPER = ["complete", "length", "content_filter", "paused", "provider_error"];

/**
 * Runs the cut-anywhere, slicing, keep-alive, error and tool rules on your samples:
 * in whatever pieces the bytes come the events are the same; cut after any byte an answer is complete only if nothing of
 * it is missing; keep-alives and unknown events change nothing; a top-level `error` object or a frame that is no JSON
 * ends the answer wherever it stands; tool calls have ids, names, and arguments that parse.
 * @throws Error with the sample, the rule that broke and what broke it. TypeError for a protocol or samples that are none.
 */
export async function testProtocol(protocol: Protocol, samples: readonly ProtocolSample[]): Promise<void> {
  defineProtocol(protocol);
  if (!Array.isArray(samples) || samples.length === 0) throw new TypeError("testProtocol takes at least one sample");
  for (const sample of samples) testSample(protocol, sample);
}

function testSample(protocol: Protocol, sample: ProtocolSample): void {
  const bytes = typeof sample.bytes === "string" ? new TextEncoder().encode(sample.bytes) : sample.bytes;
  const whole = readBy(protocol, [bytes]);
  const breaks = (rule: string, how: string | null) => {
    if (how !== null) throw new Error(`${protocol.name}, sample "${sample.name}": the ${rule} rule broke: ${how}`);
  };
  breaks("sample", misread(whole, sample));
  for (const [name, rule] of RULES) breaks(name, rule({ protocol, bytes, whole }));
}

/** Does the whole sample come to what its author says? */
function misread(whole: Reading, { text, usage }: ProtocolSample): string | null {
  if (whole.offence !== null) return whole.offence;
  if (!PROPER.includes(whole.outcome)) return `read whole it ends as ${whole.outcome}${MEANING[whole.outcome] ?? ""}`;
  if (whole.text !== text) return `its text is ${JSON.stringify(whole.text)}, expected ${JSON.stringify(text)}`;
  if (usage === undefined) return null;
  const wrong = (Object.keys(usage) as (keyof Usage)[]).find(
    (field) => usage[field] !== (whole.usage?.[field] ?? null),
  );
  return wrong === undefined ? null : `usage.${wrong} is ${whole.usage?.[wrong] ?? null}, expected ${usage[wrong]}`;
}

const MEANING: Readonly<Record<string, string>> = {
  closed_before_terminal: ": no `done` was emitted",
  empty: ": nothing was emitted",
  abnormal_stop: ": its stop has a reason of `null`",
  malformed_event: ": a frame was not JSON, or not understood",
};
