/** What `ttft measure` shows without a provider: five calls against the embedded stub, each with its own trouble. */
import type { Scripts } from "../../testing.ts";

export interface Scenario {
  readonly title: string;
  readonly lesson: string;
  readonly endpoints: readonly { readonly name: string; readonly path: string }[];
  /** How it has to end; anything else is a failure of the demonstration. */
  readonly outcome: string;
}

const CHAT = "/v1/chat/completions";
const at = (name: string) => ({ name, path: `/${name}${CHAT}` });

export const SCENARIOS: readonly Scenario[] = [
  {
    title: "a good call",
    lesson: "the clock starts before the connection and stops at the first content",
    endpoints: [at("good")],
    outcome: "complete",
  },
  {
    title: "a role chunk long before the first token",
    lesson: "the first event is quick and says nothing; first content is what a user waits for",
    endpoints: [at("eager")],
    outcome: "complete",
  },
  {
    title: "overloaded after a 200, answered by a backup before the first token",
    lesson: "nothing had been released, so the call moved on; its first content includes the failed attempt",
    endpoints: [at("overloaded"), at("backup")],
    outcome: "complete",
  },
  {
    title: "cut in the middle of the answer",
    lesson: "the socket closed cleanly, the success signal never came: half an answer, and it says so",
    endpoints: [at("cut")],
    outcome: "closed_before_terminal",
  },
  {
    title: "cut within the arguments of a tool call",
    lesson: "fragments are no tool call: there is nothing to execute",
    endpoints: [at("tool")],
    outcome: "connection_lost",
  },
];

export const SCRIPTS: Scripts = {
  "/good": [{ waitMs: 60 }, "Time to first token", { waitMs: 40 }, " is what", { waitMs: 40 }, " a user waits for."],
  "/eager": [
    { status: 200 },
    { send: roleChunk() },
    { keepAlive: 2, everyMs: 60 },
    { waitMs: 220 },
    "Slow",
    { waitMs: 30 },
    " start.",
  ],
  "/overloaded": [
    { status: 200 },
    { send: roleChunk() },
    { waitMs: 120 },
    { error: "overloaded_error", message: "try later" },
  ],
  "/backup": [{ waitMs: 80 }, "The backup", { waitMs: 40 }, " answers."],
  "/cut": [{ waitMs: 50 }, "The answer is for", { waitMs: 60 }, { end: "cut" }],
  "/tool": [
    { waitMs: 50 },
    { toolCall: { name: "write_file", arguments: { path: "a.txt", content: "one two three" }, pieces: 4 } },
    { end: "reset" },
  ],
};

/** What an OpenAI-compatible server opens with: a role, and no content. */
function roleChunk(): string {
  const choices = [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }];
  return `data: ${JSON.stringify({ id: "chatcmpl-demo", object: "chat.completion.chunk", model: "demo", choices })}\n\n`;
}
