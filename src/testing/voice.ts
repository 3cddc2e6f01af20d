/** One scripted answer as it is spoken: opens by itself before the first output, ends properly if nothing failed. */
import type { StopReason } from "../protocol/protocol.ts";
import type { Answer, Provider, ScriptedCall } from "./providers/provider.ts";
import type { Step, ToolCall } from "./script.ts";

export class Voice {
  readonly #provider: Provider;
  readonly #answer: Answer;
  #opened = false;
  #stopped = false;
  #done = false;
  #failed = false;
  #calls = 0;

  constructor(provider: Provider, answer: Answer) {
    this.#provider = provider;
    this.#answer = answer;
  }

  /** The frames of one step, `[]` for those that are no output. */
  say(step: Step): string[] {
    if (typeof step === "string") return this.#output(() => this.#provider.text(step));
    if ("reasoning" in step) return this.#output(() => this.#reason(step.reasoning));
    if ("toolCall" in step)
      return this.#output(() => this.#provider.toolCall(this.#callOf(step.toolCall)), step.toolCall.pieces);
    if ("stop" in step) return this.#stop(step.stop);
    if ("done" in step) return this.#end();
    if ("error" in step) return this.#fail(step.error, step.message);
    return [];
  }

  /** What is missing when the script is over. */
  finish(): string[] {
    return this.#failed || this.#done ? [] : this.#end();
  }

  #open(): string[] {
    if (this.#opened) return [];
    this.#opened = true;
    return this.#provider.open();
  }

  #output(frames: () => string[], tokens = 1): string[] {
    const opening = this.#open();
    this.#answer.outputTokens += tokens;
    return [...opening, ...frames()];
  }

  #reason(text: string): string[] {
    this.#answer.reasoningTokens++;
    return this.#provider.reasoning(text);
  }

  #callOf({ name, arguments: value, id, pieces = 1 }: ToolCall): ScriptedCall {
    this.#calls++;
    const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
    return { id: id ?? `call_${this.#calls}`, name, arguments: text, pieces: cut(text, pieces) };
  }

  #stop(reason: StopReason): string[] {
    this.#stopped = true;
    return [...this.#open(), ...this.#provider.stop(reason)];
  }

  /** After a failure the bare signal, as some hosts send it; else with everything that belongs before it. */
  #end(): string[] {
    this.#done = true;
    if (this.#failed) return this.#provider.done();
    const stop = this.#stopped ? [] : this.#stop(this.#calls > 0 ? "tool_calls" : "stop");
    return [...stop, ...this.#provider.usage(), ...this.#provider.done()];
  }

  #fail(code: string, message = "Scripted failure"): string[] {
    this.#failed = true;
    return this.#provider.error(code, message);
  }
}

/** `text` in `count` pieces of about the same length (fewer if it is too short), no character cut in two. */
function cut(text: string, count: number): string[] {
  const characters = Array.from(text);
  const size = Math.ceil(characters.length / count);
  const pieces: string[] = [];
  for (let at = 0; at < characters.length; at += size) pieces.push(characters.slice(at, at + size).join(""));
  return pieces;
}
