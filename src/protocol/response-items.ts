/** The output items of one Responses stream, in whatever way they come: added, in pieces, whole, or at the very end. */
import { textIn } from "./fields.ts";
import type { Emit } from "./protocol.ts";
import {
  callArguments,
  callName,
  type Item,
  idOf,
  isClientCall,
  isThought,
  itemBlock,
  type Part,
  type PartType,
  partsOf,
} from "./response-item.ts";
import { ToolCalls } from "./tool-calls.ts";

const PART_TYPES = new Set(["output_text", "refusal", "reasoning_text", "summary_text"]);

/** Items and parts together; a server that names more is not answering. */
const MAX_NAMED = 16_384;

export class ResponseItems {
  readonly #collect: boolean;
  readonly #calls: ToolCalls;
  /** By output index: ids change within one item at some hosts (GitHub Copilot). */
  readonly #items = new Map<unknown, Item>();
  #named = 0;
  #hasText = false;
  #hasThought = false;

  constructor(collect: boolean) {
    this.#collect = collect;
    this.#calls = new ToolCalls(collect);
  }

  get isEmpty(): boolean {
    return this.#items.size === 0;
  }

  /** Some call waits for the client. */
  get hasOpenCall(): boolean {
    return this.#calls.list.some((call) => call.name !== "" && !call.answered);
  }

  toBlocks(): readonly object[] {
    return this.#collect ? Array.from(this.#items.values(), itemBlock).filter((block) => block !== null) : [];
  }

  add(event: any, emit: Emit): void {
    const item = this.#at(event, emit);
    if (event.item) this.#announce(item, event.item, emit);
  }

  /** A piece of a part. */
  grow(event: any, type: PartType, emit: Emit): void {
    const delta = textIn(event.delta);
    const item = this.#at(event, emit);
    if (delta === "") return;
    item.isStreamed = true;
    this.#say(item, this.#part(item, keyOf(event, type), type, emit), delta, emit);
  }

  /** A part that is whole: news only if no piece of it came. */
  endPart(event: any, part: any, emit: Emit): void {
    const item = this.#at(event, emit);
    if (PART_TYPES.has(part?.type)) this.#whole(item, keyOf(event, part.type), part, emit);
  }

  argue(event: any, emit: Emit): void {
    this.#calls.argue(this.#callAt(event, emit), textIn(event.delta), emit);
  }

  endArguments(event: any, emit: Emit): void {
    const call = this.#callAt(event, emit);
    this.#calls.announce(call, "", textIn(event.name), emit);
    if (!call.begun) this.#calls.argue(call, callArguments(event), emit);
  }

  end(event: any, emit: Emit): void {
    const item = this.#at(event, emit);
    if (event.item) this.#take(item, event.item, emit);
  }

  /**
   * The output of the terminal event: what of it has not come yet. An item is known by its id or by its place; one that
   * is not known is still no news where its kind of text has come, for hosts renumber and leave out.
   */
  endAll(output: readonly any[], emit: Emit): void {
    const byId = new Map(Array.from(this.#items.values(), (item) => [item.id, item]));
    const hadText = this.#hasText;
    const hadThought = this.#hasThought;
    output.forEach((raw, place) => {
      if (!raw) return;
      const there = this.#items.get(place);
      const known = (idOf(raw) && byId.get(idOf(raw))) || (there?.type === raw.type ? there : undefined);
      const isRepeated = (raw.type === "message" && hadText) || (raw.type === "reasoning" && hadThought);
      if (known || !isRepeated) this.#take(known ?? this.#open(raw, emit), raw, emit);
    });
  }

  #at(event: any, emit: Emit): Item {
    const key = event.output_index ?? event.item_id ?? event.item?.id;
    return this.#items.get(key) ?? this.#open(key, emit);
  }

  #open(key: unknown, emit: Emit): Item {
    const index = this.#items.size;
    const item: Item = {
      index,
      id: "",
      type: "",
      raw: null,
      isDone: false,
      isStreamed: false,
      call: null,
      isAnnounced: false,
      parts: new Map(),
    };
    this.#items.set(key, item);
    this.#bound(emit);
    return item;
  }

  #bound(emit: Emit): void {
    if (this.#named++ > MAX_NAMED) emit({ type: "malformed", message: "too many output items" });
  }

  #callAt(event: any, emit: Emit) {
    const item = this.#at(event, emit);
    item.call ??= this.#calls.open("", emit);
    return item.call;
  }

  /** Says what has begun: a call for the client, a tool of the provider's, or the provider's answer to a call. */
  #announce(item: Item, raw: any, emit: Emit): void {
    const id = idOf(raw);
    item.id = id;
    item.type = textIn(raw.type);
    if (this.#collect && !item.isDone) item.raw = raw;
    if (isClientCall(raw)) {
      item.call ??= this.#calls.open(id, emit);
      this.#calls.announce(item.call, id, callName(raw), emit);
    } else if (item.isAnnounced) return;
    else if (item.type.endsWith("_call")) emit({ type: "provider_tool", id: id || null, name: item.type });
    else if (item.type.endsWith("_output")) this.#answer(id, emit);
    item.isAnnounced = true;
  }

  #answer(id: string, emit: Emit): void {
    const call = this.#calls.withId(id);
    if (!call || call.answered) return;
    call.answered = true;
    emit({ type: "tool_answered", index: call.index });
  }

  #take(item: Item, raw: any, emit: Emit): void {
    this.#announce(item, raw, emit);
    item.isDone = this.#collect;
    if (item.call && !item.call.begun) this.#calls.argue(item.call, callArguments(raw), emit);
    if (item.call || item.isStreamed) return;
    for (const [key, part] of partsOf(raw)) if (PART_TYPES.has(part?.type)) this.#whole(item, key, part, emit);
  }

  #part(item: Item, key: unknown, type: PartType, emit: Emit): Part {
    let part = item.parts.get(key);
    if (part) return part;
    part = { type, text: "", hasCome: false };
    item.parts.set(key, part);
    this.#bound(emit);
    return part;
  }

  #whole(item: Item, key: unknown, { type, text, refusal }: any, emit: Emit): void {
    const whole = textIn(text ?? refusal);
    const part = this.#part(item, key, type, emit);
    if (whole !== "" && !part.hasCome) this.#say(item, part, whole, emit);
  }

  #say({ index }: Item, part: Part, text: string, emit: Emit): void {
    part.hasCome = true;
    if (this.#collect) part.text += text;
    if (isThought(part.type)) {
      this.#hasThought = true;
      emit({ type: "reasoning", text, index });
    } else {
      this.#hasText = true;
      emit(part.type === "refusal" ? { type: "refusal", text, index } : { type: "text", text, index });
    }
  }
}

/** A summary has indexes of its own. */
const keyOf = ({ content_index, summary_index }: any, type: PartType): unknown =>
  type === "summary_text" ? ~summary_index : (content_index ?? 0);
