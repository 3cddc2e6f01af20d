import { describe, expect, it } from "vitest";
import { requestParameters } from "../../src/route/parameters.ts";
import { hasProviderEffects, hasProviderTools } from "../../src/route/provider-effects.ts";

const withTools = (...tools: object[]) => ({ tools });

describe("tools that a provider runs", () => {
  it.each([
    ["functions of a chat", withTools({ type: "function", function: { name: "mcp" } })],
    ["tools of Anthropic", withTools({ name: "web_search", input_schema: {} }, { type: "custom", name: "x" })],
    [
      "Anthropic's tools that run here",
      withTools(
        { type: "bash_20250124", name: "bash" },
        { type: "text_editor_20250728", name: "e" },
        { type: "memory_20250818", name: "memory" },
      ),
    ],
    ["functions of Gemini", withTools({ functionDeclarations: [{ name: "x" }] }, { function_declarations: [] })],
    [
      "Responses' tools that run here",
      withTools(
        { type: "function", name: "x" },
        { type: "local_shell" },
        { type: "shell" },
        { type: "apply_patch" },
        { type: "tool_search", execution: "client" },
      ),
    ],
    ["none", {}],
    ["an odd list", { tools: [null, "x", 5] }],
    ["no list", { tools: "web_search" }],
  ])("are not: %s", (_, body) => {
    expect([hasProviderTools(body), hasProviderEffects(body)]).toEqual([false, false]);
  });

  it.each([
    ["web search", withTools({ type: "web_search" })],
    ["web search of Anthropic", withTools({ type: "web_search_20250305", name: "web_search" })],
    ["code", withTools({ type: "code_interpreter", container: { type: "auto" } })],
    ["a shell in a container", withTools({ type: "shell", environment: { type: "container_auto" } })],
    ["Gemini's search", withTools({ functionDeclarations: [] }, { googleSearch: {} })],
    ["search of a chat model", { web_search_options: {} }],
    ["search of xAI", { search_parameters: { mode: "auto" } }],
    ["plugins of OpenRouter", { plugins: [{ id: "web" }] }],
    ["whatever is new", withTools({ type: "time_travel" })],
  ])("are, without effects: %s", (_, body) => {
    expect([hasProviderTools(body), hasProviderEffects(body)]).toEqual([true, false]);
  });

  it.each([
    ["MCP of Responses", withTools({ type: "mcp", server_url: "https://x" })],
    ["a connector of Responses", withTools({ type: "mcp", connector_id: "connector_gmail" })],
    ["MCP of Anthropic", { mcp_servers: [{ type: "url" }] }],
    ["MCP tools of Anthropic", withTools({ type: "mcp_toolset", mcp_server_name: "x" })],
    ["MCP of Gemini", withTools({ mcpServers: [{}] })],
    ["a computer of Responses", withTools({ type: "computer_use_preview" })],
    ["a computer of Anthropic", withTools({ type: "computer_20250124", name: "computer" })],
    ["a computer of Gemini", withTools({ computerUse: {} })],
    ["connectors of Cohere", { connectors: [{ id: "web-search" }] }],
    ["a background job", { background: true }],
  ])("are, with effects: %s", (_, body) => {
    expect([hasProviderTools(body), hasProviderEffects(body)]).toEqual([true, true]);
  });
});

describe("the parameters that are recorded", () => {
  it("have one name on every protocol", () => {
    const chat = {
      temperature: 0.2,
      max_completion_tokens: 9,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: -1,
      seed: 7,
      n: 2,
    };
    expect(requestParameters(chat)).toEqual({
      temperature: 0.2,
      max_tokens: 9,
      top_p: 1,
      frequency_penalty: 0,
      presence_penalty: -1,
      seed: 7,
      n: 2,
    });
    expect(requestParameters({ max_output_tokens: 9 })).toEqual({ max_tokens: 9 });
    expect(requestParameters({ max_tokens: 9, top_k: 4 })).toEqual({ max_tokens: 9, top_k: 4 });
    expect(
      requestParameters({
        generationConfig: { temperature: 1, maxOutputTokens: 9, topK: 4, topP: 0.5, candidateCount: 1 },
      }),
    ).toEqual({ temperature: 1, max_tokens: 9, top_k: 4, top_p: 0.5, n: 1 });
    expect(requestParameters({ options: { num_predict: 9, temperature: 1 } })).toEqual({
      max_tokens: 9,
      temperature: 1,
    });
    expect(requestParameters({ p: 0.5, k: 3 })).toEqual({ top_p: 0.5, top_k: 3 });
  });

  it("are finite numbers from a closed list and nothing else", () => {
    const body = JSON.parse(
      '{"temperature":"0.2","max_tokens":1e999,"user":42,"secret":7,"messages":[1],"__proto__":{"seed":1}}',
    );
    expect(requestParameters(body)).toEqual({});
    expect(requestParameters({ seed: Number.NaN, n: null, options: "x", generationConfig: null })).toEqual({});
  });
});
