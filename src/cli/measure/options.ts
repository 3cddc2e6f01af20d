/** The flags of `ttft measure`: read once, or what is wrong with them. */
import { parseArgs } from "node:util";
import * as z from "zod";
import type { Endpoint, ProtocolName } from "../../index.ts";
import { jsonFile, jsonOf } from "../json-file.ts";
import { UsageError } from "../usage-error.ts";

export const MEASURE_USAGE = `ttft measure                     five calls against the embedded stub
ttft measure --url URL --protocol NAME --model NAME [flags]

  --url URL          the full address of the chat call
  --protocol NAME    openai-chat, openai-responses, anthropic-messages, gemini, ollama, cohere-v2, openai-completions
  --model NAME
  --endpoint JSON    an endpoint {"name","url","protocol","model","keyEnv"}; repeat it for fallbacks, in order
  --key-env NAME     environment variable that holds the key (default TTFT_API_KEY); keys are never printed
  --header "N: V"    one more request header; may be repeated
  --prompt TEXT      what to ask (default: count to twenty)
  --body FILE        the whole request as JSON, instead of --prompt
  -n COUNT           calls (default 1), then a table of percentiles
  --concurrency N    calls at a time (default 1)
  --first-token-ms MS, --total-ms MS
  --html FILE        a report of the series as one page
  --jsonl FILE       one line per call
  --json             the result as JSON`;

const LIST = z.object({
  name: z.string().optional(),
  url: z.string(),
  protocol: z.string(),
  model: z.string().optional(),
  keyEnv: z.string().optional(),
});

const wholeUpTo = (most: number) => {
  const error = `takes a whole number from 1 to ${most}`;
  return z.coerce.number({ error }).int({ error }).min(1, { error }).max(most, { error }).default(1);
};

const milliseconds = () => {
  const error = "takes a number of milliseconds above 0";
  return z.coerce.number({ error }).positive({ error }).optional();
};

const FLAGS = z.object({
  n: wholeUpTo(100_000),
  concurrency: wholeUpTo(1_000),
  "first-token-ms": milliseconds(),
  "total-ms": milliseconds(),
});

export interface MeasureOptions {
  /** `null` = the embedded stub. */
  readonly endpoints: readonly Endpoint[] | null;
  readonly body: object;
  readonly calls: number;
  readonly concurrency: number;
  readonly limits: { readonly firstTokenMs?: number | undefined; readonly totalMs?: number | undefined };
  readonly html: string | undefined;
  readonly jsonl: string | undefined;
  readonly json: boolean;
}

/** @throws UsageError for a wrong flag. */
export function measureOptions(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): MeasureOptions {
  const { values } = parsed(argv);
  const flags = checked(FLAGS, values, (flag) => (flag === "n" ? "-n " : `--${flag} `));
  const listed = (values.endpoint ?? []).map((text) => endpointOf(text, env));
  const single = values.url === undefined ? withoutUrl(values) : [oneEndpoint(values, env)];
  const endpoints = [...single, ...listed];
  return {
    endpoints: endpoints.length === 0 ? null : endpoints,
    body: values.body === undefined ? promptBody(endpoints[0], values.prompt) : bodyIn(values.body),
    calls: flags.n,
    concurrency: flags.concurrency,
    limits: { firstTokenMs: flags["first-token-ms"], totalMs: flags["total-ms"] },
    html: values.html,
    jsonl: values.jsonl,
    json: values.json ?? false,
  };
}

function parsed(argv: readonly string[]) {
  const text = { type: "string" } as const;
  const list = { type: "string", multiple: true } as const;
  const options = {
    url: text,
    protocol: text,
    model: text,
    endpoint: list,
    "key-env": text,
    header: list,
    prompt: text,
    body: text,
    n: { type: "string", short: "n" },
    concurrency: text,
    "first-token-ms": text,
    "total-ms": text,
    html: text,
    jsonl: text,
    json: { type: "boolean" },
  } as const;
  try {
    return parseArgs({ args: [...argv], options, strict: true });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

type Values = ReturnType<typeof parsed>["values"];

/** What describes an endpoint has no meaning without its address. */
function withoutUrl(values: Values): [] {
  const orphan = (["protocol", "model", "key-env", "header"] as const).find((flag) => values[flag] !== undefined);
  if (orphan !== undefined) throw new UsageError(`--${orphan} needs --url`);
  return [];
}

function oneEndpoint(values: Values, env: Readonly<Record<string, string | undefined>>): Endpoint {
  if (values.protocol === undefined) throw new UsageError("--url needs --protocol");
  const keyEnv = values["key-env"] ?? "TTFT_API_KEY";
  return {
    url: values.url as string,
    protocol: values.protocol as ProtocolName,
    model: values.model,
    ...keyOf(keyEnv, env, values["key-env"] !== undefined),
    headers: headersOf(values.header ?? []),
  };
}

function endpointOf(text: string, env: Readonly<Record<string, string | undefined>>): Endpoint {
  const { keyEnv, protocol, ...endpoint } = checked(LIST, jsonOf("--endpoint", text), inField("--endpoint"));
  return { ...endpoint, protocol: protocol as ProtocolName, ...(keyEnv === undefined ? {} : keyOf(keyEnv, env, true)) };
}

function keyOf(name: string, env: Readonly<Record<string, string | undefined>>, isNamed: boolean): { apiKey?: string } {
  const apiKey = env[name];
  if (apiKey) return { apiKey };
  if (isNamed) throw new UsageError(`the environment variable ${name} is not set`);
  return {};
}

function headersOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      // The text may be a key: it is not repeated.
      if (colon <= 0) throw new UsageError('--header must be written as "Name: value"');
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    }),
  );
}

function bodyIn(file: string): object {
  return checked(z.looseObject({}), jsonFile("--body", file), inField(`--body ${file}`));
}

const PROMPT = "Count from one to twenty, in words.";

/** A minimal request in the protocol's own shape. */
function promptBody(endpoint: Endpoint | undefined, prompt = PROMPT): object {
  const messages = [{ role: "user", content: prompt }];
  if (endpoint?.protocol === "openai-responses") return { input: prompt };
  if (endpoint?.protocol === "openai-completions") return { prompt };
  if (endpoint?.protocol === "anthropic-messages") return { max_tokens: 512, messages };
  if (endpoint?.protocol === "gemini") return { contents: [{ role: "user", parts: [{ text: prompt }] }] };
  return { messages };
}

const inField = (flag: string) => (path: string) => (path ? `${flag}, field \`${path}\`: ` : `${flag}: `);

function checked<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  place: (path: string) => string,
): z.infer<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  throw new UsageError(`${place(issue?.path.join(".") ?? "")}${issue?.message ?? "is wrong"}`);
}
