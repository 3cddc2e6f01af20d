import { describe, expect, test } from "vitest";
import { createFetch } from "../../src/client/fetch.ts";
import { turnOf } from "../../src/client/relay.ts";
import { answering, CHAT, chat, dropIn, readAll, sliced } from "./drop-in.ts";

const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c1", model: "gpt-5", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const answer = (finish: string) =>
  new TextEncoder().encode(
    `: hello\n\n${event({ role: "assistant", content: "" })}${event({ content: "Grüße 👋" })}${event({}, finish)}data: [DONE]\n\n`,
  );
const through = (chunks: readonly Uint8Array[]) => createFetch({ fetch: answering(chunks), retry: { maxRetries: 0 } });

describe("the bytes of an answer", () => {
  test.each(["stop", "length"])("pass chunk for chunk, however they are sliced (%s)", async (finish) => {
    const bytes = answer(finish);
    for (const size of [...Array(48).keys(), bytes.length - 1].map((at) => at + 1)) {
      const chunks = sliced(bytes, size);
      const { chunks: read, error } = await readAll(await through(chunks)(CHAT, chat()));
      expect(error).toBe(undefined);
      // The last line end of all is not waited for: the event is whole without it.
      expect(Buffer.concat(read)).toEqual(Buffer.concat(chunks.slice(0, read.length)));
      expect(read.map(({ length }) => length)).toEqual(chunks.slice(0, read.length).map(({ length }) => length));
      expect(bytes.length - Buffer.concat(read).length).toBeLessThanOrEqual(1);
    }
  });

  test("are those of the read, not copies", async () => {
    const chunks = sliced(answer("stop"), 50);
    const { chunks: read } = await readAll(await through(chunks)(CHAT, chat()));
    read.forEach((chunk, at) => {
      expect(chunk).toBe(chunks[at]);
    });
  });

  test("end with the read in which the terminal event was seen, whatever the server sends or holds after it", async () => {
    const { fetch } = dropIn({ [CHAT]: ["Hello", { done: true }, { send: ": after\n\n" }, { end: "hold" }] });
    const { text, error } = await readAll(await fetch(CHAT, chat()));
    expect(error).toBe(undefined);
    expect(text).toMatch(/data: \[DONE\]\s+$/);
  });

  test("a token limit is an ending of the provider's: nothing is missing and nothing is wrong", async () => {
    const { fetch } = dropIn({ [CHAT]: ["Half", { stop: "length" }] });
    const response = await fetch(CHAT, chat());
    const { text, error } = await readAll(response);
    expect({ error, done: text.includes("[DONE]") }).toEqual({ error: undefined, done: true });
    expect(await turnOf(response)).toMatchObject({ status: "incomplete", reason: "length", terminal: true });
  });

  test("an answer as one JSON document passes as it is", async () => {
    const body = { id: "c", choices: [{ message: { role: "assistant", content: "Hi" }, finish_reason: "stop" }] };
    const { fetch } = dropIn({ [CHAT]: [{ status: 200, body }] });
    const response = await fetch(CHAT, chat());
    expect(JSON.parse((await readAll(response)).text)).toEqual(body);
    expect(await turnOf(response)).toMatchObject({ status: "complete", text: "Hi", streamed: false });
  });
});

describe("the end of a cut answer", () => {
  test.each([
    ["cut", "closed_before_terminal"],
    ["reset", "connection_lost"],
  ] as const)("%s: everything that came, then an error that says what happened", async (end, reason) => {
    const { fetch } = dropIn({ [CHAT]: ["Hello", " wor", { end }] });
    const response = await fetch(CHAT, chat());
    const { text, error } = await readAll(response);
    expect(text).toContain(" wor");
    expect(error).toMatchObject({ name: "IncompleteTurnError", code: reason });
    expect((error as { turn: object }).turn).toBe(await turnOf(response));
    expect(await turnOf(response)).toMatchObject({ status: "incomplete", partialText: "Hello wor" });
  });

  test("nothing that was read is lost to the error, even if it is read much later", async () => {
    const { fetch } = dropIn({ [CHAT]: ["one", "two", "three", { end: "reset" }] });
    const response = await fetch(CHAT, chat());
    await turnOf(response);
    const { text, error } = await readAll(response);
    for (const word of ["one", "two", "three"]) expect(text).toContain(word);
    expect(error).toMatchObject({ code: "connection_lost" });
  });

  test("an error in band after output passes and ends the body with an error", async () => {
    const { fetch } = dropIn({ [CHAT]: ["Half", { error: "overloaded_error" }] });
    const { text, error } = await readAll(await fetch(CHAT, chat()));
    expect(text).toContain("overloaded_error");
    expect(error).toMatchObject({ code: "provider_error" });
  });
});
