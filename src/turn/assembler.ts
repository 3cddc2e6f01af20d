/** Events in, an answer out: collects what a decoder says into the parts of a turn. Pure, one per attempt. */
import type { ProtocolEvent, StopReason, Usage } from "../protocol/protocol.ts";
import type { ToolCall } from "./turn.ts";

/** No answer calls more tools than this; a server that does is not answering. */
const MAX_TOOL_CALLS = 1_024;

interface ToolParts {
  readonly id: string;
  readonly name: string;
  readonly pieces: string[];
  length: number;
  providerExecuted: boolean;
}

export class Assembler {
  id: string | null = null;
  model: string | null = null;
  usage: Usage | null = null;
  stopReason: StopReason | null = null;
  rawStopReason: string | null = null;
  ignoredChoices = 0;
  /** Something was generated, or a tool was run by the provider. */
  anything = false;
  /** Text or a tool call came. */
  content = false;
  /** What is kept, in UTF-16 units. */
  size = 0;
  readonly #collect: boolean;
  readonly #text: string[] = [];
  readonly #reasoning: string[] = [];
  readonly #refusal: string[] = [];
  readonly #tools = new Map<number, ToolParts>();
  readonly #ignored = new Set<number>();

  constructor(collect: boolean) {
    this.#collect = collect;
  }

  /** False if the answer calls more tools than any answer would. */
  add(event: ProtocolEvent): boolean {
    switch (event.type) {
      case "text":
        if (event.text === "") return true;
        this.anything = this.content = true;
        this.#keep(this.#text, event.text);
        return true;
      case "reasoning":
        if (event.text === "") return true;
        this.anything = true;
        this.#keep(this.#reasoning, event.text);
        return true;
      case "refusal":
        if (event.text === "") return true;
        this.anything = true;
        this.#keep(this.#refusal, event.text);
        return true;
      case "tool_call":
        this.anything = this.content = true;
        return this.#open(event.index, event.id, event.name);
      case "tool_arguments":
        this.#argue(event.index, event.delta);
        return true;
      case "tool_answered":
        return this.#answered(event.index);
      case "provider_tool":
        this.anything = true;
        return true;
      case "start":
        this.id ??= event.id;
        this.model ??= event.model;
        return true;
      case "usage":
        this.usage = replaceUsage(this.usage, event.usage);
        return true;
      case "stop":
        this.stopReason = event.stopReason;
        this.rawStopReason = event.rawStopReason;
        return true;
      case "ignored_choice":
        if (this.#ignored.size < MAX_TOOL_CALLS) this.#ignored.add(event.index);
        this.ignoredChoices = this.#ignored.size;
        return true;
      default:
        return true;
    }
  }

  get text(): string {
    return this.#text.join("");
  }
  get reasoning(): string {
    return this.#reasoning.join("");
  }
  get refusal(): string {
    return this.#refusal.join("");
  }
  get toolCalls(): ToolCall[] {
    return Array.from(this.#tools, ([index, { id, name, pieces, providerExecuted }]) => {
      return { id, index, name, arguments: pieces.join(""), providerExecuted };
    });
  }
  /** Length of each call's arguments, in UTF-16 units; known even if nothing is collected. */
  get argumentLengths(): number[] {
    return Array.from(this.#tools.values(), (tool) => tool.length);
  }

  #keep(pieces: string[], piece: string): void {
    if (!this.#collect) return;
    this.size += piece.length;
    pieces.push(piece);
  }

  #open(index: number, id: string, name: string): boolean {
    if (this.#tools.size >= MAX_TOOL_CALLS) return false;
    this.#tools.set(index, { id, name, pieces: [], length: 0, providerExecuted: false });
    return true;
  }

  #argue(index: number, delta: string): void {
    const tool = this.#tools.get(index);
    if (!tool) return;
    tool.length += delta.length;
    this.#keep(tool.pieces, delta);
  }

  #answered(index: number): boolean {
    const tool = this.#tools.get(index);
    if (tool) tool.providerExecuted = true;
    return true;
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
