/** Reads the text and the success signal out of provider bytes: a second reader that shares no code with the library. */
import type { ProtocolName } from "../../../src/index.ts";

/** One event's data, and where in the bytes it stands. */
export interface RawEvent {
  readonly data: string;
  /** Offset behind the last byte of its data. */
  readonly dataEnd: number;
  /** Offset behind the byte that closes it: the blank line's, the line's; `null` if the bytes end before. */
  readonly closedAt: number | null;
}

/** The SSE events that carry data, or the lines of NDJSON. */
export function* rawEvents(bytes: Uint8Array, framing: "sse" | "ndjson"): Generator<RawEvent> {
  let data: string[] = [];
  let dataEnd = 0;
  for (const line of lines(bytes)) {
    const text = line.text;
    if (framing === "ndjson") {
      if (text.trim()) yield { data: text, dataEnd: line.end, closedAt: line.closedAt };
    } else if (text === "") {
      if (data.length && line.closedAt !== null) yield { data: data.join("\n"), dataEnd, closedAt: line.closedAt };
      if (line.closedAt !== null) data = [];
    } else if (text.startsWith("data:") || text === "data") {
      data.push(text.slice(5).replace(/^ /, ""));
      dataEnd = line.end;
    }
  }
  if (data.length) yield { data: data.join("\n"), dataEnd, closedAt: null };
}

/** CR, LF or CRLF; a CR closes its line at once, an LF behind it belongs to it. */
function* lines(bytes: Uint8Array) {
  const decoder = new TextDecoder();
  let from = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte !== 10 && byte !== 13) continue;
    yield { text: decoder.decode(bytes.subarray(from, at)), end: at, closedAt: at + 1 };
    if (byte === 13 && bytes[at + 1] === 10) at++;
    from = at + 1;
  }
  if (from < bytes.length) yield { text: decoder.decode(bytes.subarray(from)), end: bytes.length, closedAt: null };
}

export const framingOf = (protocol: ProtocolName) => (protocol === "ollama" ? "ndjson" : "sse");

function parsed(data: string): any {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}

/** Is this event the protocol's success signal? */
export function isSuccess(protocol: ProtocolName, data: string): boolean {
  if (data.trim() === "[DONE]") return protocol === "openai-chat" || protocol === "openai-completions";
  const json = parsed(data);
  switch (protocol) {
    case "openai-chat":
      return json?.object === "chat.completion.done";
    case "openai-completions":
      return false;
    case "openai-responses":
      return json?.type === "response.completed";
    case "anthropic-messages":
      return json?.type === "message_stop";
    case "cohere-v2":
      return json?.type === "message-end";
    case "ollama":
      return json?.done === true;
    case "gemini":
      return Boolean(json?.candidates?.[0]?.finishReason ?? json?.promptFeedback?.blockReason);
  }
}

/** The text that one event adds to the answer. */
export function textIn(protocol: ProtocolName, data: string): string {
  const json = parsed(data);
  switch (protocol) {
    case "openai-chat":
      return choice(json)?.delta?.content ?? "";
    case "openai-completions":
      return choice(json)?.text ?? "";
    case "openai-responses":
      return json?.type === "response.output_text.delta" ? json.delta : "";
    case "anthropic-messages":
      return json?.delta?.type === "text_delta" ? json.delta.text : "";
    case "cohere-v2":
      return json?.type === "content-delta" ? (json.delta?.message?.content?.text ?? "") : "";
    case "ollama":
      return json?.message?.content ?? "";
    case "gemini":
      return partsOf(json)
        .map((part) => (part.thought ? "" : (part.text ?? "")))
        .join("");
  }
}

/** The reasoning that one event adds; where a host gives it twice, it is one. */
export function reasoningIn(protocol: ProtocolName, data: string): string {
  const json = parsed(data);
  switch (protocol) {
    case "openai-chat": {
      const delta = choice(json)?.delta;
      return delta?.reasoning || delta?.reasoning_content || "";
    }
    case "openai-completions":
      return "";
    case "openai-responses":
      return /^response\.reasoning(_summary)?_text\.delta$/.test(json?.type) ? json.delta : "";
    case "anthropic-messages":
      return json?.delta?.thinking ?? "";
    case "cohere-v2":
      return json?.delta?.message?.content?.thinking ?? "";
    case "ollama":
      return json?.message?.thinking ?? "";
    case "gemini":
      return partsOf(json)
        .map((part) => (part.thought ? (part.text ?? "") : ""))
        .join("");
  }
}

/** Does the event carry content: text, or the start of a tool call? */
export function hasContent(protocol: ProtocolName, data: string): boolean {
  if (textIn(protocol, data)) return true;
  const json = parsed(data);
  const delta = choice(json)?.delta;
  return Boolean(
    delta?.refusal ||
      delta?.tool_calls?.length ||
      json?.type === "response.refusal.delta" ||
      (json?.type === "response.output_item.added" &&
        json.item?.type !== "message" &&
        json.item?.type !== "reasoning") ||
      json?.content_block?.type === "tool_use" ||
      json?.type === "tool-call-start" ||
      json?.message?.tool_calls?.length ||
      partsOf(json).some((part) => part.functionCall),
  );
}

const partsOf = (json: any): readonly any[] => json?.candidates?.[0]?.content?.parts ?? [];
const choice = (json: any) => json?.choices?.find((each: any) => (each.index ?? 0) === 0);

const joined =
  (read: (protocol: ProtocolName, data: string) => string) => (protocol: ProtocolName, bytes: Uint8Array) =>
    [...rawEvents(bytes, framingOf(protocol))].map(({ data }) => read(protocol, data)).join("");
export const textOf = joined(textIn);
export const reasoningOf = joined(reasoningIn);

const some = (test: (protocol: ProtocolName, data: string) => boolean) => (protocol: ProtocolName, bytes: Uint8Array) =>
  [...rawEvents(bytes, framingOf(protocol))].some(({ data }) => test(protocol, data));

/** Is the terminal event among these bytes? */
export const holdsSuccess = some(isSuccess);
export const holdsContent = some(hasContent);
