/**
 * `npm run telemetry:compare`: what our telemetry, the AI SDK's and OpenTelemetry's own say of the same answers, beside
 * when the server wrote them. `-- --write` puts the table into `docs/telemetry.md`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { createStub, type Script, type Stub, scriptedFetch, VirtualClock } from "ttft/testing";
import {
  type Maker,
  type Numbers,
  throughAi,
  throughAiOverOurs,
  throughClient,
  throughOpenai,
  throughOpenaiOverOurs,
} from "./observed.ts";
import { CHAT } from "./user.ts";

const CALLS = 15;
const WARM_UP = 3;
const PAGE = fileURLToPath(new URL("../../docs/telemetry.md", import.meta.url));
const FROM = "<!-- side by side: written by `npm run telemetry:compare -- --write` -->";
const TO = "<!-- end of side by side -->";

interface Run {
  readonly title: string;
  readonly a: Script;
  readonly b?: Script;
}

const SLOW: Script = ["", { waitMs: 20 }, { keepAlive: 10, everyMs: 20 }, "Hello", { waitMs: 40 }, " world"];
const RUNS: readonly Run[] = [
  { title: "role chunk, keep-alives, content after 220 ms", a: SLOW },
  {
    title: "role chunk, reasoning after 100 ms, content after 300 ms",
    a: ["", { waitMs: 100 }, { reasoning: "Hm" }, { waitMs: 200 }, "Hello", { waitMs: 40 }, " world"],
  },
  {
    title: "role chunk, overloaded after 50 ms; the other endpoint as in the first column",
    a: ["", { waitMs: 50 }, { error: "overloaded_error" }],
    b: SLOW,
  },
];

const MAKERS = {
  client: throughClient,
  ai: throughAi,
  openai: throughOpenai,
  aiOverOurs: throughAiOverOurs,
  openaiOverOurs: throughOpenaiOverOurs,
} satisfies Record<string, Maker>;

type From = keyof typeof MAKERS | "stub";
type Row = readonly [who: string, what: string, from: From, value: string];

const CHUNK = "`gen_ai.client.operation.time_to_first_chunk`";
const CONTENT = "`ttft.client.time_to_first_content`";
const DURATION = "`gen_ai.client.operation.duration`";
const ROWS: readonly Row[] = [
  ["**the server wrote**", "its first event", "stub", "event"],
  ["", "its first output: reasoning or content", "stub", "output"],
  ["", "its first content", "stub", "content"],
  ["**`createClient`** and `ttft/otel`", CHUNK, "client", "chunk"],
  ["", 'the same with `chunk: "event"`', "client", "event"],
  ["", CONTENT, "client", "content"],
  ["", DURATION, "client", "duration"],
  ["**`ai`** over `fetch`, its spans", "`ai.response.msToFirstChunk`", "ai", "sdkFirst"],
  ["", "`ai.response.msToFinish`", "ai", "sdkEnd"],
  ["**`openai`** over `fetch`, `instrumentation-openai`", "a time to the first chunk", "openai", "sdkFirst"],
  ["", DURATION, "openai", "sdkEnd"],
  ["", "spans that ended (a count)", "openai", "spans"],
  ["**`ai`** over `createFetch`, each call seen twice", "`ai.response.msToFirstChunk`", "aiOverOurs", "sdkFirst"],
  ["", `ours: ${CHUNK}`, "aiOverOurs", "chunk"],
  ["", `ours: ${CONTENT}`, "aiOverOurs", "content"],
  ["**`openai`** over `createFetch`, each call seen twice", `theirs: ${DURATION}`, "openaiOverOurs", "sdkEnd"],
  ["", `ours: ${DURATION}`, "openaiOverOurs", "duration"],
  ["", `ours: ${CONTENT}`, "openaiOverOurs", "content"],
];

const columns: Record<From, Numbers>[] = [];
for (const run of RUNS) columns.push(await measured(run));
const text = `${heading()}\n\n${tableOf(columns)}`;
console.log(text);
if (process.argv.includes("--write")) await write(text);
process.exit();

/** The makers take turns, so that a busy moment meets all of them; the first calls of each are for the compiler. */
async function measured(run: Run): Promise<Record<From, Numbers>> {
  const stub = await createStub({ [`/a${CHAT}`]: run.a, [`/b${CHAT}`]: run.b ?? [{ status: 500 }] });
  const place = { a: stub.url("/a"), b: stub.url("/b") };
  const seen: Record<From, Numbers[]> = {
    stub: [],
    client: [],
    ai: [],
    openai: [],
    aiOverOurs: [],
    openaiOverOurs: [],
  };
  const marks = await marksOf(run.b ?? run.a);
  for (let call = -WARM_UP; call < CALLS; call++)
    for (const [name, make] of Object.entries(MAKERS)) {
      const before = stub.requests.length;
      const numbers = await make(place);
      if (call < 0) continue;
      seen[name as From].push(numbers);
      if (name === "client") seen.stub.push(writesOf(stub, before, marks));
    }
  await stub.close();
  return Object.fromEntries(Object.entries(seen).map(([name, all]) => [name, medians(all)])) as Record<From, Numbers>;
}

interface Marks {
  readonly output: number;
  readonly content: number;
}

/** Which of the server's writes they are: as many as the script makes up to there come before. */
async function marksOf(script: Script): Promise<Marks> {
  const content = script.indexOf("Hello");
  const output = script.findIndex((step) => step === "Hello" || (typeof step === "object" && "reasoning" in step));
  return { output: await writesBefore(script.slice(0, output)), content: await writesBefore(script.slice(0, content)) };
}

async function writesBefore(script: Script): Promise<number> {
  const clock = new VirtualClock();
  const fetch = scriptedFetch({ [CHAT]: [...script, { end: "hold" }] }, { clock });
  await fetch(`http://localhost${CHAT}`, { method: "POST", body: '{"stream":true}' });
  await clock.runAll();
  return fetch.requests[0]?.sent.length ?? 0;
}

/** From the first request of the call; output is in its last. */
function writesOf({ requests }: Stub, from: number, { output, content }: Marks): Numbers {
  const [first, last] = [requests[from], requests[requests.length - 1]];
  const after = (atMs = Number.NaN) => atMs - (first?.startedMs ?? 0);
  return {
    event: after(first?.sent[0]?.atMs),
    output: after(last?.sent[output]?.atMs),
    content: after(last?.sent[content]?.atMs),
  };
}

function medians(all: readonly Numbers[]): Numbers {
  const names = Object.keys(all[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, median(all.map((numbers) => numbers[name] ?? null))]));
}

/** Of calls that differ in whether there is a number, no median is true. */
function median(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null).sort((a, b) => a - b);
  if (numbers.length === 0) return null;
  if (numbers.length < values.length) throw new Error(`only ${numbers.length} of ${values.length} calls have a number`);
  return numbers[numbers.length >> 1] as number;
}

function tableOf(columns: readonly Record<From, Numbers>[]): string {
  const lines = ROWS.map(([who, what, from, value]) => [who, what, ...columns.map((all) => cell(all[from], value))]);
  const head = ["", "ms", ...RUNS.map(({ title }) => title)];
  return [head, ["---", "---", ...RUNS.map(() => "--:")], ...lines].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function cell(numbers: Numbers, value: string): string {
  const number = numbers[value];
  const shown = number === null || number === undefined ? "none" : String(Math.round(number));
  return numbers.failed ? `${shown}; the call failed` : shown;
}

function heading(): string {
  const home = process.env.TTFT_SDKS ? pathToFileURL(`${process.env.TTFT_SDKS}/`) : import.meta.url;
  const { dependencies } = createRequire(import.meta.url)(fileURLToPath(new URL("package.json", home)));
  const names = ["ai", "@ai-sdk/openai-compatible", "openai", "@opentelemetry/instrumentation-openai"];
  const versions = names.map((name) => `\`${name}\` ${dependencies[name]}`).join(", ");
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, Node ${process.version}, ${versions}; medians of ${CALLS} calls each, in milliseconds.`;
}

async function write(text: string): Promise<void> {
  const page = await readFile(PAGE, "utf8");
  const [from, to] = [page.indexOf(FROM), page.indexOf(TO)];
  if (from < 0 || to < from) throw new Error(`docs/telemetry.md has no ${FROM} … ${TO}`);
  await writeFile(PAGE, `${page.slice(0, from + FROM.length)}\n\n${text}\n\n${page.slice(to)}`);
}
