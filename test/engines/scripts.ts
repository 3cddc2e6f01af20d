/** What the stub plays for `program.ts`, and what it must have seen by the end. */
import type { Scripts, Stub } from "../../src/testing.ts";

export const SCRIPTS: Scripts = {
  "/whole": ["Grüße", " 🌍"],
  "/slow": ["one", { waitMs: 120 }, "two"],
  "/broken": [
    { send: 'data: {"choices":[{"index":0,"delta":{"role":"assistant"}}]}\n\n' },
    { error: "overloaded_error" },
  ],
  "/silent": [{ end: "hold" }],
  "/cut": ["half", { end: "cut" }],
  "/reset": ["half", { waitMs: 30 }, { end: "reset" }],
  "/stalled": ["half", { end: "hold" }],
  "/left-by-break": ["a", { end: "hold" }],
  "/left-by-abort": ["a", { end: "hold" }],
};

const LEFT = ["/silent", "/stalled", "/left-by-break", "/left-by-abort"];

/** Connections that were left and never closed; a moment is given to those on their way. */
export async function notClosed(stub: Stub): Promise<string[]> {
  const open = () =>
    LEFT.filter((path) =>
      stub.requests.some(({ url, closedByClientMs }) => url.includes(path) && closedByClientMs === null),
    );
  for (let waited = 0; waited < 2_000 && open().length > 0; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return open();
}
