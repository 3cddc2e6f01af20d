/** The tables of the documentation against what they are about: no row is missing, no number has moved. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { CallErrorCode, FailureReason, IncompleteReason } from "../../src/index.ts";
import { protocols } from "../../src/protocol/builtins.ts";
import {
  anthropicStops,
  chatStops,
  cohereStops,
  geminiStops,
  ollamaStops,
  responsesStops,
} from "../../src/protocol/stop-reasons.ts";
import { DEFAULT_LIMITS } from "../../src/timing/limits.ts";

/** The rows of every table of a page: cells without their backticks. */
function rowsOf(page: string): string[][] {
  const lines = readFileSync(page, "utf8").split("\n");
  const rows = lines.filter((line) => line.startsWith("| ") && !line.startsWith("| ---"));
  return rows.map((line) =>
    line
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const named = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name as string);
const firstNames = (page: string) => rowsOf(page).flatMap(([first]) => named(first));

/** Complete by type: a reason that is added has to be added here. */
const INCOMPLETE: Readonly<Record<IncompleteReason, true>> = {
  closed_before_terminal: true,
  connection_lost: true,
  provider_error: true,
  malformed_event: true,
  too_large: true,
  empty: true,
  length: true,
  content_filter: true,
  paused: true,
  abnormal_stop: true,
  timeout_first_token: true,
  timeout_idle: true,
  timeout_stall: true,
  timeout_total: true,
  timeout_consumer: true,
  transport_timeout: true,
  aborted: true,
};
const BEFORE_OUTPUT: Readonly<Record<Exclude<FailureReason, IncompleteReason>, true>> = {
  timeout_connect: true,
  timeout_gate: true,
  connection_failed: true,
  http_error: true,
  not_a_stream: true,
  refused: true,
  configuration: true,
  no_endpoint: true,
};
const CODES: Readonly<Record<CallErrorCode, true>> = {
  request_rejected: true,
  provider_unavailable: true,
  provider_timeout: true,
  provider_rate_limited: true,
  provider_error: true,
  no_endpoint_available: true,
  refused: true,
  aborted: true,
  configuration: true,
};

describe("docs/limits.md", () => {
  test("lists every limit with its default", () => {
    const listed = rowsOf("docs/limits.md").filter(([first]) => first?.endsWith("Ms`"));
    const defaults = listed.map(([first, value = ""]) => [named(first)[0], Number(value.replaceAll(" ", ""))]);
    expect(Object.fromEntries(defaults)).toEqual(DEFAULT_LIMITS);
  });
});

describe("docs/errors.md", () => {
  test("lists every code and every reason", () => {
    const listed = firstNames("docs/errors.md");
    for (const list of [INCOMPLETE, BEFORE_OUTPUT, CODES]) {
      expect(listed).toEqual(expect.arrayContaining(Object.keys(list)));
    }
  });
});

describe("docs/protocols.md", () => {
  const columns = [chatStops, responsesStops, anthropicStops, geminiStops, ollamaStops, cohereStops];
  const rows = rowsOf("docs/protocols.md");

  test("lists every protocol", () => {
    expect(firstNames("docs/protocols.md")).toEqual(expect.arrayContaining(Object.keys(protocols)));
  });

  test.each(columns.map((table, at) => ({ column: at + 1, table })))(
    "says of column $column what its provider's words mean",
    ({ column, table }) => {
      for (const [word, meaning] of table) {
        const row = rows.find(([first, ...cells]) => first === `\`${meaning}\`` && cells.length === columns.length);
        expect(named(row?.[column])).toContain(word);
      }
    },
  );
});
