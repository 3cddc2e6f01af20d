/** Reads a folder of recorded streams: `INDEX.tsv` lists them, `expectations.json` says what each holds. */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ProtocolName } from "../../../src/index.ts";

export interface Recording {
  readonly file: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly expected: Expected;
}

export interface Expected {
  readonly protocol: ProtocolName;
  readonly sha256: string;
  readonly text_sha256: string;
  readonly text_len_utf16: number;
  readonly first_content_index: number | null;
  readonly first_any_output_index: number | null;
  readonly tool_calls: readonly { readonly id: string | null; readonly name: string; readonly args: string }[];
  readonly errors: readonly { readonly error?: unknown }[];
  readonly notes: readonly string[];
  /** The first event that holds a call the client might answer, a text, … */
  readonly first_index: Readonly<Record<string, number>>;
  /** Items and blocks that are a provider's tool by their very type. */
  readonly server_tool_items: number;
  readonly source: { readonly http_status?: number };
  readonly contract: Contract;
}

/** How the whole file ends, played with a clean end at one endpoint. */
export interface Contract {
  readonly status: "complete" | "incomplete" | "error";
  readonly reason: string | null;
  readonly terminal: boolean;
  readonly stopReason: string | null;
  readonly rawStopReason: string | null;
  readonly streamed: boolean;
  readonly gateOpens: boolean;
  readonly providerToolBeforeOutput: boolean;
  readonly lenient?: { readonly status: string; readonly reason: string | null };
  /** `fields: why`; these fields are not to be checked. */
  readonly undetermined?: string;
}

export function parses(json: string): boolean {
  try {
    JSON.parse(json);
    return true;
  } catch {
    return false;
  }
}

export const digest = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

/** The files in the order of the index; `null` if there is no such folder. */
export async function readIndex(
  folder: string,
): Promise<readonly { readonly file: string; readonly protocol: string }[] | null> {
  if (!existsSync(join(folder, "INDEX.tsv"))) return null;
  const [head = "", ...rows] = (await readFile(join(folder, "INDEX.tsv"), "utf8")).split(/\r?\n/).filter(Boolean);
  const columns = head.split("\t");
  const at = (row: string, column: string) => row.split("\t")[columns.indexOf(column)] ?? "";
  return rows.map((row) => ({ file: at(row, "file"), protocol: at(row, "protocol") }));
}

export type Expectations = Readonly<Record<string, Expected>>;

export const readExpectations = async (folder: string): Promise<Expectations> =>
  JSON.parse(await readFile(join(folder, "expectations.json"), "utf8"));

export async function readRecording(folder: string, file: string, all: Expectations): Promise<Recording> {
  const expected = all[file];
  if (!expected) throw new Error("expectations.json does not know it");
  const bytes = new Uint8Array(await readFile(join(folder, file)));
  if (expected.sha256 !== digest(bytes)) throw new Error("its bytes are not those the expectations were made from");
  return { file, bytes, expected };
}
