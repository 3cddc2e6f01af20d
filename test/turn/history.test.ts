import { describe, expect, it } from "vitest";
import type { ProtocolName } from "../../src/protocol/protocol.ts";
import { completeTurn, incompleteTurn } from "../../src/testing/turns.ts";
import { toAssistantMessages, toToolMessages } from "../../src/turn/history.ts";
import type { ToolCall } from "../../src/turn/turn.ts";

const call = (more: Partial<ToolCall> = {}): ToolCall => ({
  id: "call_1",
  index: 0,
  name: "weather",
  arguments: '{"city":"Rome"}',
  providerExecuted: false,
  ...more,
});
const protocols: readonly ProtocolName[] = [
  "openai-chat",
  "openai-responses",
  "anthropic-messages",
  "gemini",
  "ollama",
  "cohere-v2",
];
const MARKER = "[The answer was cut off here.]";
const HALF = `half an ans\n\n${MARKER}`;

describe("toAssistantMessages", () => {
  describe("of a whole answer, in another protocol than it was given in", () => {
    const toolCalls = [call(), call({ id: "call_2", name: "now", arguments: "" })];
    const foreign = (requestProtocol: string) =>
      completeTurn({
        protocol: "homemade",
        requestProtocol,
        text: "Let me see.",
        toolCalls,
        output: [{ secret: "sig" }],
      });

    it.each<[string, object[]]>([
      [
        "openai-chat",
        [
          {
            role: "assistant",
            content: "Let me see.",
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
              { id: "call_2", type: "function", function: { name: "now", arguments: "{}" } },
            ],
          },
        ],
      ],
      [
        "openai-responses",
        [
          { role: "assistant", content: "Let me see." },
          { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"city":"Rome"}' },
          { type: "function_call", call_id: "call_2", name: "now", arguments: "{}" },
        ],
      ],
      [
        "anthropic-messages",
        [
          {
            role: "assistant",
            content: [
              { type: "text", text: "Let me see." },
              { type: "tool_use", id: "call_1", name: "weather", input: { city: "Rome" } },
              { type: "tool_use", id: "call_2", name: "now", input: {} },
            ],
          },
        ],
      ],
      [
        "gemini",
        [
          {
            role: "model",
            parts: [
              { text: "Let me see." },
              {
                functionCall: { name: "weather", args: { city: "Rome" } },
                thoughtSignature: "skip_thought_signature_validator",
              },
              { functionCall: { name: "now", args: {} } },
            ],
          },
        ],
      ],
      [
        "ollama",
        [
          {
            role: "assistant",
            content: "Let me see.",
            tool_calls: [
              { id: "call_1", function: { name: "weather", arguments: { city: "Rome" } } },
              { id: "call_2", function: { name: "now", arguments: {} } },
            ],
          },
        ],
      ],
      [
        "cohere-v2",
        [
          {
            role: "assistant",
            content: "Let me see.",
            tool_calls: [
              { id: "call_1", type: "function", function: { name: "weather", arguments: '{"city":"Rome"}' } },
              { id: "call_2", type: "function", function: { name: "now", arguments: "{}" } },
            ],
          },
        ],
      ],
    ])("writes text and calls as %s does", (requestProtocol, messages) => {
      expect(toAssistantMessages(foreign(requestProtocol))).toEqual(messages);
    });

    it("takes the shape of chat for legacy completions and for protocols of one's own", () => {
      const chat = toAssistantMessages(foreign("openai-chat"));
      expect(toAssistantMessages(foreign("openai-completions"))).toEqual(chat);
      expect(toAssistantMessages(foreign("homemade"))).toEqual(chat);
      expect(toAssistantMessages(foreign("constructor"))).toEqual(chat);
    });

    it("leaves out what the provider ran, and has no empty parts", () => {
      const turn = (requestProtocol: string) =>
        completeTurn({
          protocol: "homemade",
          requestProtocol,
          text: "",
          toolCalls: [call({ providerExecuted: true })],
        });
      for (const protocol of protocols) expect(toAssistantMessages(turn(protocol))).toEqual([]);
      const bare = { protocol: "homemade", text: "", toolCalls: [call({ id: "functions.weather:0" })] };
      expect(toAssistantMessages(completeTurn({ ...bare, requestProtocol: "anthropic-messages" }))).toEqual([
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "functions_weather_0", name: "weather", input: { city: "Rome" } }],
        },
      ]);
      expect(toAssistantMessages(completeTurn({ ...bare, requestProtocol: "openai-chat" }))).toMatchObject([
        { content: null },
      ]);
    });

    it("says what was refused", () => {
      const turn = completeTurn({
        requestProtocol: "anthropic-messages",
        text: "",
        refusal: "I will not.",
        stopReason: "stop",
      });
      expect(toAssistantMessages(turn)).toEqual([
        { role: "assistant", content: [{ type: "text", text: "I will not." }] },
      ]);
    });
  });

  describe("of a whole answer in the protocol of the request", () => {
    it.each(["openai-chat", "openai-responses", "ollama", "cohere-v2"])(
      "gives the blocks of %s back as they came",
      (protocol) => {
        const output = [{ role: "assistant", content: "x", anything: { signature: "sig" } }, { type: "reasoning" }];
        expect(toAssistantMessages(completeTurn({ protocol, output }))).toEqual(output);
      },
    );

    it("keeps Anthropic's blocks in order, but for blank text and unsigned thoughts, which it refuses", () => {
      const kept = [
        { type: "thinking", thinking: "", signature: "sig" },
        { type: "redacted_thinking", data: "x" },
        { type: "server_tool_use", id: "s", name: "web_search", input: {} },
        { type: "web_search_tool_result", tool_use_id: "s", content: [{ encrypted_content: "x" }] },
        { type: "text", text: "Yes", citations: [{ encrypted_index: "x" }] },
        { type: "tool_use", id: "t", name: "now", input: {} },
      ];
      const refused = [
        { type: "text", text: "" },
        { type: "text", text: " \n" },
        { type: "thinking", thinking: "hm", signature: "" },
        {},
      ];
      const turn = completeTurn({ protocol: "anthropic-messages", output: [...refused, ...kept] });
      expect(toAssistantMessages(turn)).toEqual([{ role: "assistant", content: kept }]);
      expect(toAssistantMessages(completeTurn({ protocol: "anthropic-messages", output: refused }))).toEqual([]);
    });

    it("keeps Gemini's parts, signatures included", () => {
      const output = [
        { text: "hm", thought: true },
        { functionCall: { name: "now" }, thoughtSignature: "sig" },
      ];
      expect(toAssistantMessages(completeTurn({ protocol: "gemini", output }))).toEqual([
        { role: "model", parts: output },
      ]);
    });

    it.each(protocols)("writes the words of %s where no blocks were kept", (protocol) => {
      const turn = completeTurn({ protocol, text: "Hi", output: [] });
      expect(toAssistantMessages(turn)).toEqual(toAssistantMessages({ ...turn, protocol: "homemade" }));
    });
  });

  describe("of half an answer", () => {
    const half = (protocol: string) =>
      incompleteTurn({
        reason: "connection_lost",
        protocol,
        partialText: "half an ans",
        partialReasoning: "unsigned",
        toolFragments: [{ id: "call_1", index: 0, name: "weather", argumentsFragment: '{"ci' }],
      });

    it.each<[string, object]>([
      ["openai-chat", { role: "assistant", content: HALF }],
      ["openai-responses", { role: "assistant", content: HALF }],
      ["anthropic-messages", { role: "assistant", content: [{ type: "text", text: HALF }] }],
      ["gemini", { role: "model", parts: [{ text: HALF }] }],
      ["ollama", { role: "assistant", content: HALF }],
      ["cohere-v2", { role: "assistant", content: HALF }],
      ["homemade", { role: "assistant", content: HALF }],
    ])("is its text with a marker in %s: no call, no thought", (protocol, message) => {
      expect(toAssistantMessages(half(protocol))).toEqual([message]);
    });

    it.each(["length", "content_filter", "aborted", "timeout_idle", "provider_error"] as const)(
      "is marked for %s",
      (reason) => {
        expect(toAssistantMessages(incompleteTurn({ reason, partialText: "half an ans" }))).toEqual([
          { role: "assistant", content: HALF },
        ]);
      },
    );

    it("is the marker alone where no text came", () => {
      for (const partialText of ["", "\n "]) {
        expect(toAssistantMessages(incompleteTurn({ reason: "aborted", partialText }))).toEqual([
          { role: "assistant", content: MARKER },
        ]);
      }
    });

    it("takes a marker of one's own, and none at all", () => {
      const turn = incompleteTurn({ reason: "aborted", partialText: "half" });
      expect(toAssistantMessages(turn, { marker: " […]" })).toEqual([{ role: "assistant", content: "half […]" }]);
      expect(toAssistantMessages(turn, { marker: "" })).toEqual([{ role: "assistant", content: "half" }]);
      expect(toAssistantMessages(incompleteTurn({ reason: "empty" }), { marker: "" })).toEqual([]);
    });

    it("shows half a refusal", () => {
      const turn = incompleteTurn({ reason: "aborted", partialText: "", partialRefusal: "I wi" });
      expect(toAssistantMessages(turn)).toEqual([{ role: "assistant", content: `I wi\n\n${MARKER}` }]);
    });
  });

  describe("of a paused answer", () => {
    const output = [
      { type: "text", text: "Searching" },
      { type: "server_tool_use", id: "s", name: "web_search", input: { query: "x" } },
    ];

    it("gives it back as it is, unmarked", () => {
      const turn = incompleteTurn({
        reason: "paused",
        protocol: "anthropic-messages",
        partialText: "Searching",
        output,
      });
      expect(toAssistantMessages(turn)).toEqual([{ role: "assistant", content: output }]);
    });

    it("gives what another protocol can hold of it", () => {
      const turn = { protocol: "anthropic-messages", requestProtocol: "openai-chat", partialText: "Searching", output };
      expect(toAssistantMessages(incompleteTurn({ reason: "paused", ...turn }))).toEqual([
        { role: "assistant", content: "Searching" },
      ]);
      expect(toAssistantMessages(incompleteTurn({ reason: "paused", ...turn, partialText: "" }))).toEqual([]);
    });
  });
});

describe("toToolMessages", () => {
  const toolCalls = [call(), call({ id: "call_2", index: 1 })];
  const results = [
    { id: "call_2", output: "no such city", isError: true },
    { id: "call_1", output: { degrees: 20 } },
  ];
  const turn = (protocol: string, more: object = {}) => completeTurn({ protocol, toolCalls, ...more });

  it.each<[string, object[]]>([
    [
      "openai-chat",
      [
        { role: "tool", tool_call_id: "call_2", content: "no such city" },
        { role: "tool", tool_call_id: "call_1", content: '{"degrees":20}' },
      ],
    ],
    [
      "openai-responses",
      [
        { type: "function_call_output", call_id: "call_2", output: "no such city" },
        { type: "function_call_output", call_id: "call_1", output: '{"degrees":20}' },
      ],
    ],
    [
      "anthropic-messages",
      [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_2", content: "no such city", is_error: true },
            { type: "tool_result", tool_use_id: "call_1", content: '{"degrees":20}' },
          ],
        },
      ],
    ],
    [
      "ollama",
      [
        { role: "tool", tool_name: "weather", tool_call_id: "call_1", content: '{"degrees":20}' },
        { role: "tool", tool_name: "weather", tool_call_id: "call_2", content: "no such city" },
      ],
    ],
    [
      "cohere-v2",
      [
        { role: "tool", tool_call_id: "call_2", content: "no such city" },
        { role: "tool", tool_call_id: "call_1", content: '{"degrees":20}' },
      ],
    ],
    [
      "homemade",
      [
        { role: "tool", tool_call_id: "call_2", content: "no such city" },
        { role: "tool", tool_call_id: "call_1", content: '{"degrees":20}' },
      ],
    ],
  ])("writes results as %s does", (protocol, messages) => {
    expect(toToolMessages(turn(protocol), results)).toEqual(messages);
  });

  it("gives Gemini its results in the order of the calls, with the ids that it gave itself and no others", () => {
    const parts = [{ functionCall: { name: "weather" } }, { functionCall: { name: "weather", id: "call_2" } }];
    expect(toToolMessages(turn("gemini", { output: parts }), results)).toEqual([
      {
        role: "user",
        parts: [
          { functionResponse: { name: "weather", response: { output: { degrees: 20 } } } },
          { functionResponse: { id: "call_2", name: "weather", response: { error: "no such city" } } },
        ],
      },
    ]);
  });

  it.each(["anthropic-messages", "gemini"])("has no message without results in %s", (protocol) => {
    expect(toToolMessages(turn(protocol), [])).toEqual([]);
  });

  it("sends texts as they are, errors as their sentence, nothing as nothing, and all else as JSON", () => {
    const contentOf = (output: unknown) => toToolMessages(turn("openai-chat"), [{ id: "call_1", output }])[0].content;
    expect([null, undefined, "", "a", 0, [1], new Error("no"), () => {}].map(contentOf)).toEqual([
      "",
      "",
      "",
      "a",
      "0",
      "[1]",
      "no",
      "",
    ]);
  });

  it("answers each kind of Responses call in its own way", () => {
    const kinds = [
      "custom_tool_call",
      "local_shell_call",
      "shell_call",
      "computer_call",
      "tool_search_call",
      "apply_patch_call",
    ];
    const output = [
      ...kinds.map((type) => ({ type, id: `item_${type}`, call_id: type })),
      { type: "mcp_approval_request", id: "mcpr_1" },
    ];
    const reply = (id: string, output: unknown, isError = false) => ({ id, output, isError });
    expect(
      toToolMessages(turn("openai-responses", { output }), [
        reply("custom_tool_call", "text"),
        reply("local_shell_call", "text"),
        reply("shell_call", [{ stdout: "" }]),
        reply("computer_call", { type: "computer_screenshot" }),
        reply("tool_search_call", [{ type: "function" }]),
        reply("apply_patch_call", "conflict", true),
        reply("mcpr_1", true),
        reply("unknown", "text"),
      ]),
    ).toEqual([
      { type: "custom_tool_call_output", call_id: "custom_tool_call", output: "text" },
      { type: "local_shell_call_output", id: "local_shell_call", output: "text" },
      { type: "shell_call_output", call_id: "shell_call", output: [{ stdout: "" }] },
      { type: "computer_call_output", call_id: "computer_call", output: { type: "computer_screenshot" } },
      { type: "tool_search_output", call_id: "tool_search_call", execution: "client", tools: [{ type: "function" }] },
      { type: "apply_patch_call_output", call_id: "apply_patch_call", status: "failed", output: "conflict" },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
      { type: "function_call_output", call_id: "unknown", output: "text" },
    ]);
  });

  it("answers a legacy function call as a function", () => {
    const output = [{ role: "assistant", content: null, function_call: { name: "weather", arguments: "{}" } }];
    expect(toToolMessages(turn("openai-chat", { output }), [{ id: "call_1", output: "20" }])).toEqual([
      { role: "function", name: "weather", content: "20" },
    ]);
  });

  it("names a call the same way as the message that it answers", () => {
    const foreign = completeTurn({
      protocol: "openai-chat",
      requestProtocol: "anthropic-messages",
      toolCalls: [call({ id: "functions.weather:0" })],
    });
    const [message] = toAssistantMessages(foreign);
    const [answer] = toToolMessages(foreign, [{ id: "functions.weather:0", output: "20" }]);
    expect(answer.content[0].tool_use_id).toBe(message.content[0].id);
    const own = completeTurn({
      protocol: "anthropic-messages",
      output: [{ type: "tool_use", id: "a.b" }],
      toolCalls: [call({ id: "a.b" })],
    });
    expect(toToolMessages(own, [{ id: "a.b", output: "" }])[0].content[0].tool_use_id).toBe("a.b");
  });
});
