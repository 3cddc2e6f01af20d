/** The parts of one Gemini answer: text, thought, calls whole or streamed, and what the provider runs itself. */
import { listIn, objectIn, textIn } from "./fields.ts";
import type { Emit } from "./protocol.ts";
import { StreamedArguments } from "./streamed-arguments.ts";

interface Call {
  readonly index: number;
  readonly id: string;
  readonly name: string;
  /** The part as it is kept, `null` if nothing is collected. */
  readonly kept: any;
  /** The provider ran it itself, later in the same answer. */
  answered: boolean;
}

export class GeminiParts {
  readonly #kept: any[] | null;
  /** The kept part that more text of its kind is added to. */
  #growing: any = null;
  readonly #calls: Call[] = [];
  /** The latest call, while its arguments are still coming. */
  #open: Call | null = null;
  #arguments = new StreamedArguments();
  #json = "";
  /** Runs of text and of thought are one block each; every other part is its own. */
  #block = -1;
  #kind = "";

  constructor(collect: boolean) {
    this.#kept = collect ? [] : null;
  }

  get output(): readonly object[] {
    return this.#kept ?? [];
  }

  /** Does a call wait for the client? */
  get isCalling(): boolean {
    return this.#calls.some((call) => !call.answered);
  }

  add(part: any, emit: Emit): void {
    if (typeof part !== "object" || part === null) return;
    if (typeof part.text === "string") return this.#text(part, emit);
    if (part.functionCall) return this.#functionCall(part, emit);
    this.#begin("");
    this.#keep(part);
    const { functionResponse, executableCode, toolCall } = part;
    if (functionResponse) this.#answer(functionResponse, emit);
    if (executableCode) emit({ type: "provider_tool", id: textIn(executableCode.id) || null, name: "code_execution" });
    if (toolCall) emit({ type: "provider_tool", id: textIn(toolCall.id) || null, name: textIn(toolCall.toolType) });
  }

  #text(part: any, emit: Emit): void {
    const type = part.thought === true ? "reasoning" : "text";
    if (part.text !== "") emit({ type, text: part.text, index: this.#begin(type) });
    // A part with a signature has to come back as it is: it is joined to nothing.
    const isPlain = Object.keys(part).length === (part.thought === undefined ? 1 : 2);
    if (isPlain && this.#growing && this.#growing.thought === part.thought) this.#growing.text += part.text;
    else if (!isPlain) this.#keep(part);
    else if (part.text !== "") this.#growing = this.#keep(part);
  }

  #functionCall(part: any, emit: Emit): void {
    const { name, id, args, partialArgs, willContinue } = part.functionCall;
    if (this.#open && (!name || (id && id === this.#open.id))) return this.#argue(part.functionCall, this.#open, emit);
    if (!textIn(name)) return;
    const index = this.#begin("");
    const call = {
      index,
      id: textIn(id) || `call_${this.#calls.length}`,
      name,
      kept: this.#keep(part),
      answered: false,
    };
    this.#calls.push(call);
    emit({ type: "tool_call", index, id: call.id, name });
    if (args || !(partialArgs || willContinue)) {
      return emit({ type: "tool_arguments", index, delta: JSON.stringify(args ?? {}) });
    }
    this.#open = call;
    this.#arguments = new StreamedArguments();
    this.#json = "";
    this.#argue(part.functionCall, call, emit);
  }

  #argue({ partialArgs, willContinue }: any, { index, kept }: Call, emit: Emit): void {
    const delta = this.#arguments.write(listIn(partialArgs), !willContinue);
    if (delta === null) return emit({ type: "malformed", message: "function arguments out of order" });
    if (delta !== "") emit({ type: "tool_arguments", index, delta });
    if (kept) this.#json += delta;
    if (willContinue) return;
    this.#open = null;
    if (kept) kept.functionCall = wholeCall(kept.functionCall, this.#json);
  }

  #answer({ id, name }: any, emit: Emit): void {
    const call = this.#calls.find((call) => !call.answered && (id ? call.id === id : call.name === name));
    if (!call) return;
    call.answered = true;
    emit({ type: "tool_answered", index: call.index });
  }

  #begin(kind: string): number {
    if (kind === "" || kind !== this.#kind) this.#block++;
    this.#kind = kind;
    return this.#block;
  }

  /** Our own copy, for it may grow and events show consumers the original. */
  #keep(part: object): any {
    this.#growing = null;
    if (!this.#kept) return null;
    const kept = { ...part };
    this.#kept.push(kept);
    return kept;
  }
}

/** A streamed call as the provider would have sent it whole, and takes it back. */
function wholeCall({ partialArgs, willContinue, ...call }: any, json: string): object {
  return { ...call, args: objectIn(json) };
}
