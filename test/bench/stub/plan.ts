/** What the stub is asked to send, written into the address, so that any SDK can ask for it. */

export const PATHS = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
} as const;

export type Dialect = keyof typeof PATHS;
export const DIALECTS = Object.keys(PATHS) as Dialect[];

export interface Plan {
  /** Text deltas. */
  readonly events: number;
  /** Instead of text: one tool call with so many bytes of arguments, 20 to a delta. */
  readonly argumentBytes?: number;
  /** Characters added to each text delta. */
  readonly padding?: number;
  /** Between two events; 0 = as fast as the socket takes them. */
  readonly gapMs?: number;
  /** A pause half way. */
  readonly holdMs?: number;
}

export const ARGUMENTS_PER_DELTA = 20;

const WORDS = " the| stream| of| tokens| arrives| in| small| pieces|,| and| each| one| carries| a| few| bytes|.".split(
  "|",
);

export const deltaAt = (index: number, plan: Plan): string =>
  WORDS[index % WORDS.length] + "x".repeat(plan.padding ?? 0);

/** Characters of all text deltas together: what a column must have delivered. */
export function textLengthOf(plan: Plan): number {
  let length = 0;
  for (let index = 0; index < plan.events; index++) length += deltaAt(index, plan).length;
  return length;
}

export function argumentsOf(bytes: number): string {
  let rows = "";
  for (let key = 0; rows.length < bytes - 12; key++)
    rows += `${key === 0 ? "" : ","}{"k":${key},"v":"${"x".repeat(40)}"}`;
  return `{"rows":[${rows}]}`;
}

/** The part of the address before the API's own path. */
export const addressOf = (port: number, plan: Plan): string =>
  `http://127.0.0.1:${port}/plan/${Object.entries(plan)
    .filter(([, value]) => value)
    .map(([name, value]) => `${name}=${value}`)
    .join(",")}`;

export function planIn(path: string): { readonly plan: Plan; readonly dialect: Dialect } | null {
  const [, written, api] = /^\/plan\/([^/]*)(\/.*)$/.exec(path) ?? [];
  const dialect = DIALECTS.find((name) => PATHS[name] === api);
  if (written === undefined || !dialect) return null;
  const fields = written.split(",").map((pair) => pair.split("="));
  return { plan: { events: 0, ...Object.fromEntries(fields.map(([name, value]) => [name, Number(value)])) }, dialect };
}
