/** The output items of one Responses stream, in whatever way they come: in pieces, whole, or only at the very end. */
import { GrowingText } from "../base/growing-text.ts";
import { listIn, textIn } from "./fields.ts";
import type { Emit } from "./protocol.ts";
import { blockOf, type Item, idOf, isClientCall, isSaid, isThought, type PartType } from "./response-item.ts";
import { jsonText, ToolCalls } from "./tool-calls.ts";

/** Items and parts together; a server that names more is not answering. */
const MAX_NAMED = 16_384;

export class ResponseItems {
  readonly #collect: boolean;
  readonly #calls: ToolCalls;
  /** By output index: ids change within one item at some hosts (GitHub Copilot). */
  readonly #items = new Map<unknown, Item>();
  #named = 0;

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
    return this.#collect ? Array.from(this.#items.values(), blockOf).filter((block) => block !== null) : [];
  }

  at({ output_index, item_id, item }: any, emit: Emit): Item {
    const key = output_index ?? item_id ?? item?.id;
    return this.#items.get(key) ?? this.#open(key, emit);
  }

  argue(item: Item, json: string, isWhole: boolean, emit: Emit): void {
    item.call ??= this.#calls.open("", emit);
    if (!isWhole || !item.call.begun) this.#calls.argue(item.call, json, emit);
  }

  /** A piece of a part; or all of it, which is news only if no piece came. */
  say(item: Item, key: unknown, type: PartType, text: string, isWhole: boolean, emit: Emit): void {
    let part = item.parts.get(key);
    if (!part) {
      part = { type, text: new GrowingText(), hasCome: false };
      item.parts.set(key, part);
      this.#bound(emit);
    }
    if (text === "" || (isWhole && part.hasCome)) return;
    part.hasCome = true;
    item.isStreamed ||= !isWhole;
    item.type ||= isThought(type) ? "reasoning" : "message";
    if (this.#collect) part.text.add(text);
    emit({ type: isThought(type) ? "reasoning" : type === "refusal" ? type : "text", text, index: item.index });
  }

  /** The item itself, as it begins or as it ended. */
  take(item: Item, raw: any, isDone: boolean, emit: Emit): void {
    if (!raw) return;
    const id = idOf(raw);
    const type = textIn(raw.type);
    if (this.#collect && !item.isDone) item.raw = raw;
    if (isClientCall(raw)) {
      item.call ??= this.#calls.open(id, emit);
      // Functions and custom tools have a name; any other call is known by what it is.
      this.#calls.announce(item.call, id, /^(function|custom_tool)_call$/.test(type) ? textIn(raw.name) : type, emit);
    } else if (item.type === "") {
      if (type.endsWith("_call")) emit({ type: "provider_tool", id: id || null, name: type });
      if (type.endsWith("_output")) this.#calls.answer(id, emit);
    }
    item.type = type;
    item.id = id;
    if (isDone) this.#end(item, raw, emit);
  }

  /**
   * The output of the terminal event: what of it has not come yet. An item is known by its id or by its place; a message
   * that is not known is still no news where one has come, for hosts renumber and leave out.
   */
  takeAll(output: readonly any[], emit: Emit): void {
    const before = [...this.#items.values()];
    const byName = new Map(before.map((item) => [item.id && item.type + item.id, item]));
    const types = new Set(before.map((item) => item.type));
    for (const [place, raw] of output.entries()) {
      if (!raw) continue;
      const there = this.#items.get(place);
      const id = idOf(raw);
      const known = (id && byName.get(raw.type + id)) || (there?.type === raw.type && there);
      const isCall = /_(call|request)$/.test(raw.type);
      if (known || isCall || !types.has(raw.type)) this.take(known || this.#open(raw, emit), raw, true, emit);
    }
  }

  #open(key: unknown, emit: Emit): Item {
    const index = this.#items.size;
    const parts = new Map();
    const item: Item = { index, type: "", id: "", raw: null, isDone: false, isStreamed: false, call: null, parts };
    this.#items.set(key, item);
    this.#bound(emit);
    return item;
  }

  #bound(emit: Emit): void {
    if (this.#named++ > MAX_NAMED) emit({ type: "malformed", message: "too many output items" });
  }

  /** What comes only now counts as one delta. Reasoning has its text, or else a summary of it. */
  #end(item: Item, raw: any, emit: Emit): void {
    item.isDone = this.#collect;
    if (item.call) {
      const { arguments: json, input, action, actions, operation } = raw;
      return this.argue(item, jsonText(json ?? input ?? action ?? actions ?? operation), true, emit);
    }
    if (item.isStreamed) return;
    const content = listIn(raw.content);
    (content.length > 0 ? content : listIn(raw.summary)).forEach((part, key) => {
      if (!isSaid(part?.type)) return;
      this.say(item, content.length > 0 ? key : ~key, part.type, textIn(part.text ?? part.refusal), true, emit);
    });
  }
}
