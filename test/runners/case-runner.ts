/** Reads a folder of cases and plays each of them in every way it asks for. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { missingFor } from "./capabilities.ts";
import { judge } from "./expect/judge.ts";
import type { Problem } from "./expect/problem.ts";
import type { StreamCase } from "./format.ts";
import { validate } from "./json-schema.ts";
import type { Loaded } from "./library.ts";
import { packagingProblems } from "./packaging.ts";
import { nameOf, type Plan, plansFor } from "./plan.ts";
import { play } from "./play/run.ts";
import type { Report } from "./report.ts";

const schemaFile = new URL("../cases/schema.json", import.meta.url);

export interface CaseFile {
  readonly name: string;
  /** `null` if the file is not a valid case; then `problems` says why. */
  readonly script: StreamCase | null;
  readonly problems: readonly string[];
}

export async function readCases(folder: string): Promise<CaseFile[]> {
  const schema = JSON.parse(await readFile(schemaFile, "utf8"));
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json") && name !== "schema.json").sort();
  return Promise.all(
    names.map(async (name) => {
      try {
        const script = JSON.parse(await readFile(join(folder, name), "utf8"));
        const problems = validate(schema, script);
        return { name, script: problems.length ? null : script, problems };
      } catch (error) {
        return { name, script: null, problems: [String(error)] };
      }
    }),
  );
}

export async function runCase(script: StreamCase, loaded: Loaded, report: Report): Promise<void> {
  const missing = missingFor(script, loaded);
  if (missing) return report.unsupported(script.id, missing);
  const problems =
    script.client.action === "packaging" ? await packaging(script) : await playAll(script, loaded, report);
  if (problems.length) report.failed(script.id, problems);
  else report.passed();
}

async function packaging({ client }: StreamCase): Promise<string[]> {
  return packagingProblems(client.checks ?? []);
}

async function playAll(script: StreamCase, loaded: Loaded, report: Report): Promise<string[]> {
  const problems: string[] = [];
  for (const plan of plansFor(script)) {
    let found = await playOnce(plan, loaded);
    if (found.length && mayBeNoise(plan, found)) {
      const first = found.map(lineOf).join("; ");
      found = await playOnce(plan, loaded);
      report.note(
        `${nameOf(plan)}: repeated once, ${found.length ? "fails again" : "then passed"}; first run: ${first}`,
      );
    }
    problems.push(...found.map((each) => `${nameOf(plan).slice(script.id.length + 1)}: ${lineOf(each)}`));
  }
  return problems;
}

const lineOf = ({ key, text }: Problem) => `${key}: ${text}`;

async function playOnce(plan: Plan, loaded: Loaded): Promise<Problem[]> {
  try {
    return judge(await play(plan, loaded));
  } catch (error) {
    return [{ key: "could not be played", text: reasonsOf(error), timing: false }];
  }
}

const reasonsOf = (error: unknown): string => {
  const cause = (error as { cause?: unknown }).cause;
  return cause === undefined ? String(error) : `${String(error)}: ${reasonsOf(cause)}`;
};

/** A busy machine can miss a bound, or let a limit of some milliseconds fire. */
const mayBeNoise = ({ script: { client }, expect }: Plan, problems: readonly Problem[]) =>
  problems.every(({ timing }) => timing) ||
  Boolean(client.limits ?? client.at?.ms ?? client.breaker ?? client.backoffMs ?? expect.settleMs);

const chunk = (delta: object, finish: string | null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

/** One good call, so that no case pays for the process's first. */
const warmUpCase: StreamCase = {
  format: "stream-case/1",
  id: "warm-up",
  url: "https://example.com",
  product: "",
  kind: "",
  summary: "",
  protocol: "openai-chat",
  status: 200,
  headers: { "content-type": "text/event-stream" },
  steps: [{ send: chunk({ content: "hi" }, null) }, { send: `${chunk({}, "stop")}data: [DONE]\n\n` }, { close: true }],
  client: { action: "consume" },
  expect: { outcome: "complete" },
};

export async function warmUp(loaded: Loaded): Promise<void> {
  if (missingFor(warmUpCase, loaded)) return;
  for (const plan of plansFor(warmUpCase)) await playOnce(plan, loaded);
}
