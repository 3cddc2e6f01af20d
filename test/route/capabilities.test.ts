import { describe, expect, it } from "vitest";
import { type Capabilities, isRestricted, missing, NO_NEEDS, needsOf } from "../../src/route/capabilities.ts";

const user = (content: unknown, more: object = {}) => ({ messages: [{ role: "user", content, ...more }] });
const able = (capabilities: Capabilities) => ({ capabilities });

describe("what a request needs", () => {
  it("is nothing but room for a plain question", () => {
    for (const body of [
      {},
      user("hi"),
      { input: "hi" },
      { contents: [{ parts: [{ text: "hi" }] }] },
      { prompt: "hi" },
    ]) {
      expect(needsOf(body, null)).toEqual(NO_NEEDS);
    }
    expect(needsOf(user("hi"), 12)).toEqual({ ...NO_NEEDS, contextTokens: 12 });
  });

  it.each([
    ["chat", { tools: [{ type: "function", function: { name: "x" } }] }],
    ["chat, the old way", { functions: [{ name: "x" }] }],
    ["Gemini", { tools: [{ functionDeclarations: [] }] }],
  ])("tools: %s", (_, body) => {
    expect(needsOf(body, null).tools).toBe(true);
    expect(needsOf({ tools: [], functions: [] }, null).tools).toBe(false);
  });

  it.each([
    ["chat", { response_format: { type: "json_schema" } }],
    ["chat, any object", { response_format: { type: "json_object" } }],
    ["Responses", { text: { format: { type: "json_schema" } } }],
    ["Anthropic", { output_config: { format: { type: "json_schema" } } }],
    ["Gemini", { generationConfig: { responseMimeType: "application/json" } }],
    ["Gemini, by schema", { generationConfig: { responseSchema: {} } }],
    ["Ollama", { format: "json" }],
  ])("json: %s", (_, body) => {
    expect(needsOf(body, null)).toEqual({ ...NO_NEEDS, json: true });
  });

  it.each([
    [
      "chat",
      user([
        { type: "text", text: "?" },
        { type: "image_url", image_url: { url: "data:" } },
      ]),
    ],
    ["Responses", { input: [{ role: "user", content: [{ type: "input_image", image_url: "data:" }] }] }],
    ["Anthropic", user([{ type: "image", source: { type: "base64" } }])],
    ["Anthropic, in a tool result", user([{ type: "tool_result", content: [{ type: "image", source: {} }] }])],
    ["Gemini", { contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: "" } }] }] }],
    ["Gemini, in snake case", { contents: [{ parts: [{ inline_data: { mime_type: "video/mp4", data: "" } }] }] }],
    ["Ollama", user("?", { images: ["iVBOR"] })],
  ])("vision: %s", (_, body) => {
    expect(needsOf(body, null)).toEqual({ ...NO_NEEDS, vision: true });
  });

  it.each([
    ["a previous response", { previous_response_id: "resp_1" }],
    ["a conversation", { conversation: { id: "conv_1" } }],
    ["a stored prompt", { prompt: { id: "pmpt_1" } }],
    ["a container", { container: "container_1" }],
    ["a cache", { cachedContent: "cachedContents/1" }],
    ["a file", user([{ type: "file", file: { file_id: "file-1" } }])],
    ["a file of Responses", { input: [{ role: "user", content: [{ type: "input_file", file_id: "file-1" }] }] }],
    ["a file of Anthropic", user([{ type: "document", source: { type: "file", file_id: "file_1" } }])],
    ["a file of Gemini", { contents: [{ parts: [{ fileData: { fileUri: "https://g/v1beta/files/1" } }] }] }],
    ["a vector store", { tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
    ["a tool's container", { tools: [{ type: "code_interpreter", container: "cntr_1" }] }],
    ["a tool's files", { tools: [{ type: "code_interpreter", container: { type: "auto", file_ids: ["file-1"] } }] }],
    ["encrypted reasoning", { input: [{ type: "reasoning", encrypted_content: "gAAA" }] }],
    ["stored reasoning", { input: [{ type: "reasoning", id: "rs_1" }] }],
    ["a stored item", { input: [{ type: "item_reference", id: "msg_1" }] }],
    ["a thinking signature", user([{ type: "thinking", thinking: "hm", signature: "EqQB" }])],
    ["redacted thinking", user([{ type: "redacted_thinking", data: "EmwK" }])],
    ["a signature of Gemini", { contents: [{ parts: [{ text: "a", thoughtSignature: "CiQB" }] }] }],
    [
      "a signature of Gemini in a chat",
      user("", { tool_calls: [{ extra_content: { google: { thought_signature: "CiQB" } } }] }),
    ],
    ["reasoning details", user("", { reasoning_details: [{ type: "reasoning.encrypted", data: "gAAA" }] })],
    ["earlier audio", user("", { audio: { id: "audio_1" } })],
  ])("state: %s", (_, body) => {
    expect(needsOf(body, null).state).toBe(true);
  });

  it("is not read from what users and models made up", () => {
    const words = { file_id: "x", signature: "x", type: "image_url", encrypted_content: "x" };
    const made = [
      user([{ type: "tool_use", name: "sign", input: words }]),
      user([{ type: "text", text: JSON.stringify(words) }]),
      user("", { tool_calls: [{ function: { name: "x", arguments: JSON.stringify(words) } }] }),
      { contents: [{ parts: [{ functionCall: { args: words } }, { functionResponse: { response: words } }] }] },
      { messages: [], metadata: words },
    ];
    for (const body of made) expect(needsOf(body, null)).toEqual(NO_NEEDS);
    const schema = { type: "object", properties: { file_id: { type: "string" }, image_url: words } };
    const tools = [
      { type: "function", function: { parameters: schema } },
      { name: "x", input_schema: schema },
      { functionDeclarations: [{ parameters: schema }] },
    ];
    expect(needsOf({ tools }, null)).toEqual({ ...NO_NEEDS, tools: true });
  });

  it("is read from empty, odd, deep and endless bodies without harm", () => {
    let deep: unknown = "end";
    for (let at = 0; at < 100_000; at++) deep = [deep];
    const ring: { content: unknown[] } = { content: [] };
    ring.content.push(ring);
    for (const messages of [deep, [ring], null, 5, [null, undefined, 5]])
      expect(needsOf({ messages }, null).state).toBe(false);
    expect(needsOf(JSON.parse('{"messages":[{"__proto__":{"type":"image"}}]}'), null).tools).toBe(false);
  });

  it("looks at each message a fixed number of times, however many there are", () => {
    const readsOf = (count: number) => {
      let reads = 0;
      const message = () => ({
        role: "user",
        get content() {
          reads++;
          return "x".repeat(1_000);
        },
      });
      needsOf({ messages: Array.from({ length: count }, message) }, null);
      return reads / count;
    };
    expect(readsOf(1_000)).toBe(readsOf(10));
  });
});

describe("an endpoint", () => {
  const all = { tools: true, json: true, vision: true, contextTokens: 1_000, state: true };

  it("is taken to work where nothing is said, but only the first one has state", () => {
    expect(missing(all, able({}), true)).toBeNull();
    expect(missing(all, able({}), false)).toBe("capability");
    expect(missing({ ...all, state: false }, able({}), false)).toBeNull();
    expect(missing(all, able({ state: true }), false)).toBeNull();
    expect(missing(all, able({ state: false }), true)).toBe("capability");
  });

  it.each(["tools", "json", "vision"] as const)(
    "without %s is passed over by requests that need it, and by no others",
    (name) => {
      const endpoint = able({ [name]: false });
      expect(missing({ ...NO_NEEDS, [name]: true }, endpoint, true)).toBe("capability");
      expect(missing({ ...all, [name]: false }, endpoint, true)).toBeNull();
    },
  );

  it("is passed over by prompts that are longer than its context", () => {
    const endpoint = able({ contextTokens: 1_000 });
    expect(missing({ ...NO_NEEDS, contextTokens: 1_000 }, endpoint, true)).toBeNull();
    expect(missing({ ...NO_NEEDS, contextTokens: 1_001 }, endpoint, true)).toBe("capability");
  });

  it("that is the first and lacks nothing need not be asked", () => {
    expect(isRestricted(able({}), true)).toBe(false);
    for (const lacking of [
      { tools: false },
      { json: false },
      { vision: false },
      { contextTokens: 8_000 },
      { state: false },
    ]) {
      expect(isRestricted(able(lacking), true)).toBe(true);
    }
    expect(isRestricted(able({}), false)).toBe(true);
  });
});
