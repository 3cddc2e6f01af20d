/** `JSON.parse` for what a server sent: bounded in what it may build, and a value where it fails. */
import type { WireFault } from "./frame.ts";

export type ParsedJson = { readonly ok: true; readonly json: any } | { readonly ok: false; readonly fault: WireFault };

/** Below this length the text itself bounds what it can build. */
const COUNT_ABOVE = 1024 * 1024;
const MAX_MARKS = 200_000;
/** Deeper than some thousands, and parsing takes seconds or `JSON.stringify` of what was parsed throws; few deltas are longer. */
const MEASURE_ABOVE = 4 * 1024;
const MAX_DEPTH = 256;

/** What is nested deeper than 256, or is over 1 MiB with more than 200 000 of `{ [ ,`, is `too_large` and never parsed. */
export function parseJson(text: string): ParsedJson {
  if (text.length > MEASURE_ABOVE) {
    const { marks, deepest } = scanJson(text);
    if (deepest > MAX_DEPTH || (marks > MAX_MARKS && text.length > COUNT_ABOVE))
      return { ok: false, fault: "too_large" };
  }
  try {
    return { ok: true, json: JSON.parse(text) };
  } catch {
    return { ok: false, fault: "malformed" };
  }
}

/** What `Frame.json()` throws, for `wireFaultOf` where the protocol was called. It tells nothing of what the frame held. */
export class FrameFault extends Error {
  readonly fault: WireFault;
  constructor(fault: WireFault) {
    super(fault === "malformed" ? "the frame is not JSON" : "the frame holds too much JSON");
    this.name = "FrameFault";
    this.fault = fault;
  }
}

/** What a protocol that threw has met: a frame that its `json()` refused, else one that it could not read. */
export const wireFaultOf = (thrown: unknown): WireFault => (thrown instanceof FrameFault ? thrown.fault : "malformed");

export interface JsonShape {
  /** How many of `{ [ ,`: each is a value that parsing would build. */
  readonly marks: number;
  readonly deepest: number;
  /** What is still open at the end; 0 or less once the value is whole. */
  readonly open: number;
}

/** Counts without building anything; what stands inside strings does not count, for it is text of the model. */
export function scanJson(text: string): JsonShape {
  let marks = 0;
  let deepest = 0;
  let open = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at + 1);
        break;
      case "{":
      case "[":
        open++;
        if (open > deepest) deepest = open;
        marks++;
        break;
      case ",":
        marks++;
        break;
      case "}":
      case "]":
        open--;
    }
  }
  return { marks, deepest, open };
}

/** Where the closing quote stands: the next one behind an even number of backslashes. */
function endOfString(text: string, from: number): number {
  let quote = text.indexOf('"', from);
  while (quote >= 0) {
    let escapes = quote - 1;
    while (escapes >= from && text[escapes] === "\\") escapes--;
    if ((quote - escapes) % 2 === 1) return quote;
    quote = text.indexOf('"', quote + 1);
  }
  return text.length;
}
