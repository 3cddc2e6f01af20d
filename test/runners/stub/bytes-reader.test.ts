import { describe, expect, it } from "vitest";
import { holdsSuccess, isSuccess, rawEvents, reasoningOf, textOf } from "./bytes-reader.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const events = (text: string, framing: "sse" | "ndjson" = "sse") => [...rawEvents(bytes(text), framing)];

describe("the second reader", () => {
  it("says where an event's data ends and where it is closed", () => {
    expect(events("data: a\n\ndata: b\n")).toEqual([
      { data: "a", dataEnd: 7, closedAt: 9 },
      { data: "b", dataEnd: 16, closedAt: null },
    ]);
    expect(events('{"a":1}\n{"b"', "ndjson")).toEqual([
      { data: '{"a":1}', dataEnd: 7, closedAt: 8 },
      { data: '{"b"', dataEnd: 12, closedAt: null },
    ]);
  });

  it("takes CR, LF and CRLF for line ends, joins data lines and passes over comments", () => {
    expect(events(": hi\r\n\r\ndata: a\r\ndata:b\r\n\r\ndata: c\r\r").map(({ data }) => data)).toEqual(["a\nb", "c"]);
  });

  it("knows every protocol's success signal, text and reasoning", () => {
    expect(isSuccess("openai-chat", "[DONE]")).toBe(true);
    expect(isSuccess("openai-responses", '{"type":"response.incomplete"}')).toBe(false);
    expect(isSuccess("gemini", '{"candidates":[{"finishReason":"STOP"}]}')).toBe(true);
    expect(holdsSuccess("anthropic-messages", bytes('data: {"type":"message_stop"}\n\n'))).toBe(true);
    const chat = 'data: {"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"hi"}}]}\n\n';
    expect(textOf("openai-chat", bytes(chat))).toBe("hi");
    const thinking = 'data: {"type":"content_block_delta","delta":{"type":"thinking_delta","thinking":"hm"}}\n\n';
    expect(reasoningOf("anthropic-messages", bytes(thinking))).toBe("hm");
    expect(textOf("ollama", bytes('{"message":{"content":"hi"},"done":false}\n'))).toBe("hi");
  });
});
