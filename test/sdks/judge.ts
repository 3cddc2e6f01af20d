/** What must hold of a cell that was played over `createFetch`. */
import { findTtftError } from "ttft";
import type { Seen } from "./play.ts";
import { ARGUMENTS, type Scenario, TEXT } from "./scenario.ts";

/** `[]` if all is well. */
export function problemsOf(scenario: Scenario, seen: Seen): string[] {
  const { expected, most, fromB, code } = scenario;
  const { text, tools, error, hangs, requests, closedAfterMs } = seen;
  const problems: string[] = [];
  const must = (holds: boolean, otherwise: string) => void (holds || problems.push(otherwise));
  must(!hangs, "hangs");
  must(requests[0] <= most, `${requests[0]} requests at A, ${most} are allowed`);
  must(requests[1] === (fromB ? 1 : 0), `${requests[1]} requests at B`);
  must(TEXT.startsWith(text), `the text is ${JSON.stringify(text)}`);
  if (expected !== "tool ran") must(tools.length === 0, `a tool ran with ${JSON.stringify(tools)}`);
  if (expected === "whole") {
    must(text === TEXT, `the text is ${JSON.stringify(text)}`);
    must(error === undefined, `it throws ${String(error)}`);
  }
  if (expected === "tool ran") {
    must(error === undefined, `it throws ${String(error)}`);
    must(JSON.stringify(tools) === JSON.stringify([ARGUMENTS]), `tools ran with ${JSON.stringify(tools)}`);
  }
  if (expected === "our error" || expected === "error") must(error !== undefined, "no error is seen");
  if (expected === "our error") must(findTtftError(error)?.code === code, `the error is ${codeIn(error)}, not ${code}`);
  if (expected === "left") must(closedAfterMs !== null, "the upstream is not closed");
  return problems;
}

const codeIn = (error: unknown) => findTtftError(error)?.code ?? `not ours: ${String(error)}`;
