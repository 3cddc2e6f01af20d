/** The tool calls of one answer: which call a piece belongs to, and when there is enough of one to announce it. */
import { GrowingText } from "../base/growing-text.ts";
import type { Emit } from "./protocol.ts";

export interface Call {
  /** Our own count in the order of announcement, never the server's: what events name the call by. */
  index: number;
  /** `""` as long as the provider has given none. */
  id: string;
  /** `""` until it is known; only then is the call announced. */
  name: string;
  /** What is kept of the arguments: all of them if output is collected, else those that wait for the name. */
  readonly kept: GrowingText;
  /** Some arguments have come. */
  begun: boolean;
  /** The provider has answered it itself. */
  answered: boolean;
  /** What the provider opened it with, where output is collected. */
  raw: any;
}

/** Far more than any turn may announce: only calls that never get a name come near. */
const MAX_CALLS = 2_048;
const MAX_KEPT_UNNAMED = 1024 * 1024;

export const idOf = (call: Call): string => call.id || `call_${call.index}`;

export class ToolCalls {
  readonly list: Call[] = [];
  readonly #collect: boolean;
  #announced = 0;
  /** Most answers have no call. */
  #byIndex: Map<unknown, Call> | null = null;
  #byId: Map<string, Call> | null = null;

  constructor(collect: boolean) {
    this.#collect = collect;
  }

  open(id: string, emit: Emit): Call {
    const call: Call = { index: -1, id, name: "", kept: new GrowingText(), begun: false, answered: false, raw: null };
    this.list.push(call);
    if (id !== "") this.#name(id, call);
    if (this.list.length > MAX_CALLS) emit({ type: "malformed", message: "too many tool calls" });
    return call;
  }

  /** The provider gave the call's result itself. */
  answer(id: string, emit: Emit): void {
    const call = this.#byId?.get(id);
    if (!call || call.answered) return;
    call.answered = true;
    emit({ type: "tool_answered", index: call.index });
  }

  /**
   * The call that a delta belongs to: the one at its index, and without an index the last one. A new id opens a call
   * even at a known index, unless it stands on bare arguments: servers have written a fresh id on every piece
   * (cubist38/mlx-openai-server#216), and arguments that were lost would leave a call that looks whole.
   */
  at(index: unknown, id: string, name: string, delta: string, emit: Emit): Call {
    const listed = index === null || index === undefined ? null : index;
    const known =
      listed === null
        ? (id !== "" && this.#byId?.get(id)) || this.list[this.list.length - 1]
        : this.#byIndex?.get(listed);
    if (known && !opens(known, listed === null, id, name, delta)) return known;
    const call = this.open(id, emit);
    if (listed === null) return call;
    this.#byIndex ??= new Map();
    this.#byIndex.set(listed, call);
    return call;
  }

  #name(id: string, call: Call): void {
    this.#byId ??= new Map();
    this.#byId.set(id, call);
  }

  /** Announces the call once its name is known, and then gives out the arguments that came before. */
  announce(call: Call, id: string, name: string, emit: Emit): void {
    if (call.name !== "") return;
    if (call.id === "" && id !== "") {
      call.id = id;
      this.#name(id, call);
    }
    if (name === "") return;
    call.name = name;
    call.index = this.#announced++;
    emit({ type: "tool_call", index: call.index, id: idOf(call), name });
    if (call.kept.length > 0) emit({ type: "tool_arguments", index: call.index, delta: `${call.kept}` });
  }

  argue(call: Call, delta: string, emit: Emit): void {
    if (delta === "") return;
    call.begun = true;
    if (this.#collect || call.name === "") call.kept.add(delta);
    if (call.name !== "") emit({ type: "tool_arguments", index: call.index, delta });
    else if (call.kept.length > MAX_KEPT_UNNAMED) emit({ type: "malformed", message: "a tool call without a name" });
  }
}

function opens(known: Call, isLast: boolean, id: string, name: string, delta: string): boolean {
  const isNamedAnew = name !== "" && known.name !== "";
  if (id === known.id || id === "") return isLast && isNamedAnew && id === "" && name !== known.name;
  return known.id === "" ? isNamedAnew : name !== "" || known.name === "" || delta === "";
}

/** JSON text, whether the provider wrote text or a value. */
export const jsonText = (value: unknown): string =>
  typeof value === "string" ? value : value === null || value === undefined ? "" : JSON.stringify(value);
