/** The content blocks of one Anthropic answer: they open, grow by deltas, and become `turn.output`. */
import { GrowingText } from "../base/growing-text.ts";
import { listIn, objectIn, textIn } from "./fields.ts";
import type { Emit } from "./protocol.ts";

/** No answer has more blocks than this; it bounds what is kept of a stream that opens them without end. */
const MAX_BLOCKS = 16_384;

type Grows = "text" | "thinking" | "input";

interface Block {
  readonly index: number;
  /** Our own copy, for events show consumers the original. `null` if nothing is collected. */
  readonly kept: any;
  /** A call that the client answers. */
  readonly isCall: boolean;
  /** The whole input came with the block: deltas can only repeat it. */
  readonly hasInput: boolean;
  /** What came in deltas, behind what it was opened with; the input as JSON. */
  readonly grown: { [Name in Grows]?: GrowingText };
  /** Our own list, once there is one. */
  citations: object[] | null;
}

export class AnthropicBlocks {
  readonly #collect: boolean;
  readonly #kept: Block[] = [];
  /** By the provider's index; of two with one index, the later one. */
  readonly #byIndex = new Map<unknown, Block>();
  #opened = 0;
  #calls = 0;

  constructor(collect: boolean) {
    this.#collect = collect;
  }

  get output(): readonly object[] {
    return this.#kept.map(blockOf);
  }

  open(key: unknown, start: any, emit: Emit): void {
    const index = this.#opened++;
    if (index >= MAX_BLOCKS) return emit({ type: "malformed", message: "too many content blocks" });
    const name = textIn(start?.name);
    const isCall = start?.type === "tool_use" && name !== "";
    const input = wholeInput(start?.input);
    const kept = this.#collect ? { ...start } : null;
    const block: Block = { index, kept, isCall, hasInput: input !== "", grown: {}, citations: null };
    if (this.#collect) this.#kept.push(block);
    this.#byIndex.set(key, block);
    if (isCall) {
      emit({ type: "tool_call", index, id: textIn(start.id) || `call_${this.#calls}`, name });
      this.#calls++;
      if (input !== "") emit({ type: "tool_arguments", index, delta: input });
    } else if (start?.type === "server_tool_use" || start?.type === "mcp_tool_use") {
      emit({ type: "provider_tool", id: textIn(start.id) || null, name });
    } else if (start?.type === "text") say("text", start.text, index, emit);
    else if (start?.type === "thinking") say("reasoning", start.thinking, index, emit);
  }

  grow(key: unknown, delta: any, emit: Emit): void {
    const block = this.#byIndex.get(key) ?? this.#openUnannounced(key, delta, emit);
    if (!block) return;
    const { index } = block;
    switch (delta?.type) {
      case "text_delta":
        add(block, "text", delta.text);
        return say("text", delta.text, index, emit);
      case "thinking_delta":
        add(block, "thinking", delta.thinking);
        return say("reasoning", delta.thinking, index, emit);
      case "input_json_delta":
        if (block.hasInput || textIn(delta.partial_json) === "") return;
        add(block, "input", delta.partial_json);
        if (block.isCall) emit({ type: "tool_arguments", index, delta: delta.partial_json });
        return;
      default:
        if (block.kept) keepOpaque(block, delta);
    }
  }

  /** Where `content_block_start` was left out, the first delta tells what the block is. */
  #openUnannounced(key: unknown, delta: any, emit: Emit): Block | undefined {
    const type = delta?.type === "text_delta" ? "text" : delta?.type === "thinking_delta" ? "thinking" : null;
    if (type) this.open(key, { type }, emit);
    return this.#byIndex.get(key);
  }
}

function add({ kept, grown }: Block, name: Grows, piece: unknown): void {
  if (!kept) return;
  grown[name] ??= new GrowingText();
  grown[name].add(textIn(piece));
}

function blockOf({ kept, grown }: Block): object {
  const block = { ...kept };
  for (const [name, text] of Object.entries(grown)) {
    block[name] = name === "input" ? objectIn(`${text}`) : `${textIn(kept[name])}${text}`;
  }
  return block;
}

function say(type: "text" | "reasoning", text: unknown, index: number, emit: Emit): void {
  if (typeof text === "string" && text !== "") emit({ type, text, index });
}

/** An input that came with its block. `{}` is what a block begins with whose input is streamed. */
function wholeInput(input: unknown): string {
  if (typeof input !== "object" || input === null) return textIn(input);
  return Object.keys(input).length === 0 ? "" : JSON.stringify(input);
}

/** What is no output, but has to go back with the block: the provider checks it or needs it. */
function keepOpaque(block: Block, delta: any): void {
  const { kept } = block;
  switch (delta?.type) {
    case "signature_delta":
      kept.signature = delta.signature;
      return;
    case "citations_delta":
      block.citations ??= kept.citations = [...listIn(kept.citations)];
      block.citations?.push(delta.citation);
      return;
    case "compaction_delta":
      kept.content = textIn(kept.content) + textIn(delta.content) || null;
      if (delta.encrypted_content) kept.encrypted_content = delta.encrypted_content;
  }
}
