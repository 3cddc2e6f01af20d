/** Servers that send back what they were sent, wherever an error has room for a word. */
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { BODY, clientBefore, HELLO, KEY, outcomeOf, PROMPT, streamed, watchRejections } from "./given.ts";

watchRejections();

const ECHO = { error: { message: `${KEY} ${PROMPT}`, type: KEY, code: PROMPT, param: KEY } };

describe("neither key nor prompt comes back in an error", () => {
  it.each<[string, () => Response]>([
    ["of HTTP", () => Response.json(ECHO, { status: 401 })],
    ["in band", () => streamed(`data: ${JSON.stringify(ECHO)}\n\n`)],
    ["with a stop reason", () => streamed(`data: {"choices":[{"delta":{},"finish_reason":"${KEY}"}]}\n\n`)],
  ])("%s", async (_, answer) => {
    const { client, clock } = clientBefore(async () => answer());
    const error = await outcomeOf(client.turn(BODY), clock);
    expect(error.name).toBe("CallError");
    const shown = inspect(error, { showHidden: true, depth: 12 }) + JSON.stringify(error);
    expect(shown).not.toContain(KEY);
    expect(shown).not.toContain(PROMPT);
  });
});

it("a code that repeats nothing stays as it is", async () => {
  const error = { message: "no", type: "invalid_request_error", code: "context_length_exceeded" };
  const { client, clock } = clientBefore(async () => Response.json({ error }, { status: 400 }));
  const { failure } = await outcomeOf(client.turn(BODY), clock);
  expect([failure.providerType, failure.providerCode]).toEqual([error.type, error.code]);
});

it("JSON that is nested by the ten thousand never reaches a turn", async () => {
  const nested = "[".repeat(20_000) + "]".repeat(20_000);
  const deep = `data: {"choices":[{"delta":{"reasoning_details":${nested}}}]}\n\n`;
  const { client, clock } = clientBefore(async () => streamed(HELLO + deep));
  const turn = await outcomeOf(client.turn(BODY), clock);
  expect([turn.status, turn.reason]).toEqual(["incomplete", "too_large"]);
  expect(JSON.stringify(turn)).toContain("too_large");
});
