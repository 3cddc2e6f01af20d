import { describe, expect, it } from "vitest";
import { protocolAt, protocols } from "../../src/protocol/builtins.ts";
import { defineProtocol } from "../../src/protocol/define.ts";

const own = { name: "own", framing: "ndjson", createDecoder: () => ({ frame: () => {} }) } as const;

describe("defineProtocol", () => {
  it("gives back what it was given", () => {
    expect(defineProtocol(own)).toBe(own);
  });

  it.each([
    [{ name: "" }, '`name` of a protocol must be a name, got ""'],
    [{ framing: "xml" }, '`framing` of a protocol must be "sse" or "ndjson", got "xml"'],
    [{ createDecoder: undefined }, "`createDecoder` of a protocol must be a function, got undefined"],
  ])("says what is wrong with %j", (wrong, message) => {
    expect(() => defineProtocol({ ...own, ...wrong } as never)).toThrow(new TypeError(message));
  });
});

describe("the built-in protocols", () => {
  it("stand under their own names", () => {
    expect(Object.values(protocols).map(({ name }) => name)).toEqual(Object.keys(protocols));
  });

  it.each([
    ["https://api.openai.com/v1/chat/completions", "openai-chat"],
    ["https://api.openai.com/v1/responses", "openai-responses"],
    ["https://api.openai.com/v1/completions", "openai-completions"],
    ["https://api.anthropic.com/v1/messages", "anthropic-messages"],
    ["https://generativelanguage.googleapis.com/v1beta/models/gemini-x:streamGenerateContent?alt=sse", "gemini"],
    ["http://localhost:11434/api/chat", "ollama"],
    ["https://api.cohere.com/v2/chat", "cohere-v2"],
    ["https://api.openai.com/v1/embeddings", undefined],
  ])("%s belongs to %s", (url, name) => {
    expect(protocolAt(new URL(url))?.name).toBe(name);
  });
});
