/**
 * What may be repeated of foreign words: a provider's message or a runtime's error, without what we sent and without
 * what could steer a terminal. Linear in the length of what it is given, whoever wrote it.
 */

export interface RedactOptions {
  /** Header and query values that were sent. Those of at least 8 characters become `[redacted]`. */
  readonly sentValues?: readonly string[] | undefined;
  /** The request's text: whatever of it comes back in runs of at least 32 characters is cut. */
  readonly requestBody?: string | undefined;
}

/** Longer messages are read up to here: a fourth of what is read of an error body, so that its own cut lies outside. */
const WINDOW = 16 * 1024;
const LONGEST_MESSAGE = 300;
const SHORTEST_VALUE = 8;
const RUN = 32;
/** A run of 32 covers at least one whole block of 16 that begins at a multiple of 16: only those are looked up at first. */
const BLOCK = RUN / 2;

const SECRET = 1;
const ECHO = 2;

/** ANSI sequences, C0 and C1 controls, line separators, zero-width and bidirectional controls. */
const UNPRINTABLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /\u001b\[[0-?]*[ -/]*[@-~]|[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** The words of a provider, fit for `failure.providerMessage`: at most 300 characters. */
export function redactProviderMessage(text: string, options: RedactOptions = {}): string {
  return redact(text, options, LONGEST_MESSAGE);
}

export function redact(text: string, { sentValues = [], requestBody = "" }: RedactOptions, longest: number): string {
  const secrets = sentValues.filter((value) => value.length >= SHORTEST_VALUE);
  const message = printable(text.slice(0, WINDOW));
  const marks = new Uint8Array(message.length);
  if (message.length >= RUN && requestBody.length >= RUN) markEchoes(message, requestBody, marks);
  for (const secret of secrets) markAll(message, printable(secret), marks, SECRET);
  // Where the window cuts, the beginning of a value or of a run may be left over that nothing above recognises.
  const end =
    text.length > WINDOW ? message.length - Math.max(RUN, ...secrets.map((secret) => secret.length)) : message.length;
  return written(message, marks, end, longest).trim();
}

function printable(text: string): string {
  return text.replace(UNPRINTABLE, " ");
}

/** What is not marked, and a sign for each run that is. */
function written(message: string, marks: Uint8Array, end: number, longest: number): string {
  let out = "";
  for (let at = 0; at < end && out.length < longest; at++) {
    const mark = marks[at];
    if (mark === 0) out += message[at];
    else if (at === 0 || marks[at - 1] !== mark) out += mark === SECRET ? "[redacted]" : "…";
  }
  return out.slice(0, longest);
}

/** Marks every occurrence, overlapping ones too; no position is written twice. */
function markAll(message: string, part: string, marks: Uint8Array, mark: number): void {
  let filled = 0;
  for (let at = message.indexOf(part); at >= 0; at = message.indexOf(part, at + 1)) {
    marks.fill(mark, Math.max(at, filled), at + part.length);
    filled = at + part.length;
  }
}

/** Prompts come back as they were written or as they stood in the JSON: both forms of the request are compared. */
function markEchoes(message: string, requestBody: string, marks: Uint8Array): void {
  const echoed = new Set<string>();
  const runs = parts(message, RUN);
  const blocks = parts(message, BLOCK);
  collectEchoes(printable(requestBody), runs, blocks, echoed);
  if (requestBody.includes("\\")) collectEchoes(printable(stringsIn(requestBody)), runs, blocks, echoed);
  if (echoed.size === 0) return;
  let filled = 0;
  for (let at = 0; at + RUN <= message.length; at++) {
    if (!echoed.has(message.slice(at, at + RUN))) continue;
    marks.fill(ECHO, Math.max(at, filled), at + RUN);
    filled = at + RUN;
  }
}

/** The runs of the message that stand in the body. */
function collectEchoes(body: string, runs: Set<string>, blocks: Set<string>, echoed: Set<string>): void {
  // What repeats itself is looked at once.
  const seen = new Set<string>();
  for (let at = 0; at + BLOCK <= body.length; at += BLOCK) {
    if (!blocks.has(body.slice(at, at + BLOCK))) continue;
    const around = body.slice(Math.max(0, at - BLOCK), at + RUN);
    if (seen.has(around)) continue;
    seen.add(around);
    for (let from = 0; from + RUN <= around.length; from++) {
      const run = around.slice(from, from + RUN);
      if (runs.has(run)) echoed.add(run);
    }
  }
}

function parts(text: string, length: number): Set<string> {
  const found = new Set<string>();
  for (let at = 0; at + length <= text.length; at++) found.add(text.slice(at, at + length));
  return found;
}

/** Every string of a JSON document, one after the other; without recursion, since nothing bounds its depth. */
function stringsIn(json: string): string {
  const found: string[] = [];
  const left: unknown[] = [];
  try {
    left.push(JSON.parse(json));
  } catch {
    return "";
  }
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value === "string") found.push(value);
    else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) left.push(inner);
  }
  return found.join("\n");
}
