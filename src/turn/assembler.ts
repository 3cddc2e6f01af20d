/** Events in, an answer out: collects what a decoder says into the parts of a turn. Pure, one per attempt. */
import { GrowingText } from "../base/growing-text.ts";
import type { ProtocolEvent, StopReason, Usage } from "../protocol/protocol.ts";
import type { ToolCall } from "./turn.ts";

/** No answer calls more tools than this; a server that does is not answering. */
const MAX_TOOL_CALLS = 1_024;

interface ToolParts {
  readonly id: string;
  readonly name: string;
  readonly arguments: GrowingText;
  length: number;
  providerExecuted: boolean;
}

export class Assembler {
  id: string | null = null;
  model: string | null = null;
  usage: Usage | null = null;
  stopReason: StopReason | null = null;
  rawStopReason: string | null = null;
  /** More tool calls than any answer has. */
  overflowed = false;
  /** Something was generated, or a tool was run by the provider. */
  anything = false;
  /** Text or a tool call came. */
  content = false;
  /** What is kept, in UTF-16 units. */
  size = 0;
  readonly #collect: boolean;
  readonly #text = new GrowingText();
  readonly #reasoning = new GrowingText();
  readonly #refusal = new GrowingText();
  /** Most answers have none. */
  #tools: Map<number, ToolParts> | null = null;
  #ignored: Set<number> | null = null;

  constructor(collect: boolean) {
    this.#collect = collect;
  }

  add(event: ProtocolEvent): void {
    switch (event.type) {
      case "text":
        if (event.text === "") return;
        this.anything = this.content = true;
        return this.#keep(this.#text, event.text);
      case "reasoning":
        if (event.text === "") return;
        this.anything = true;
        return this.#keep(this.#reasoning, event.text);
      case "refusal":
        if (event.text === "") return;
        this.anything = true;
        return this.#keep(this.#refusal, event.text);
      case "tool_call":
        this.anything = this.content = true;
        return this.#open(event.index, event.id, event.name);
      case "tool_arguments":
        return this.#argue(event.index, event.delta);
      case "tool_answered":
        return this.#answered(event.index);
      case "provider_tool":
        this.anything = true;
        return;
      case "start":
        this.id ??= event.id;
        this.model ??= event.model;
        return;
      case "usage":
        this.usage = replaceUsage(this.usage, event.usage);
        return;
      case "stop":
        this.stopReason = event.stopReason;
        this.rawStopReason = event.rawStopReason;
        return;
      case "ignored_choice":
        if (this.ignoredChoices >= MAX_TOOL_CALLS) return;
        this.#ignored ??= new Set();
        this.#ignored.add(event.index);
    }
  }

  get ignoredChoices(): number {
    return this.#ignored?.size ?? 0;
  }
  get text(): string {
    return this.#text.toString();
  }
  get reasoning(): string {
    return this.#reasoning.toString();
  }
  get refusal(): string {
    return this.#refusal.toString();
  }
  get toolCalls(): ToolCall[] {
    return Array.from(this.#tools ?? [], ([index, { id, name, arguments: json, providerExecuted }]) => {
      return { id, index, name, arguments: json.toString(), providerExecuted };
    });
  }
  /** Length of each call's arguments, in UTF-16 units; known even if nothing is collected. */
  get argumentLengths(): number[] {
    return Array.from(this.#tools?.values() ?? [], (tool) => tool.length);
  }

  #keep(text: GrowingText, piece: string): void {
    if (!this.#collect) return;
    this.size += piece.length;
    text.add(piece);
  }

  #open(index: number, id: string, name: string): void {
    this.#tools ??= new Map();
    if (this.#tools.size >= MAX_TOOL_CALLS) this.overflowed = true;
    else this.#tools.set(index, { id, name, arguments: new GrowingText(), length: 0, providerExecuted: false });
  }

  #argue(index: number, delta: string): void {
    const tool = this.#tools?.get(index);
    if (!tool) return;
    tool.length += delta.length;
    this.#keep(tool.arguments, delta);
  }

  #answered(index: number): void {
    const tool = this.#tools?.get(index);
    if (tool) tool.providerExecuted = true;
  }
}

/** Reports replace each other field by field: providers count up, and repeat themselves. */
function replaceUsage(old: Usage | null, now: Usage): Usage {
  if (old === null) return now;
  return {
    inputTokens: now.inputTokens ?? old.inputTokens,
    outputTokens: now.outputTokens ?? old.outputTokens,
    cachedInputTokens: now.cachedInputTokens ?? old.cachedInputTokens,
    reasoningTokens: now.reasoningTokens ?? old.reasoningTokens,
  };
}
