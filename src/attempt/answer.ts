/** What a protocol has said of one answer: collected, and where it stands. Pure; fed by `inspector.ts`. */
import type { FailureReason } from "../base/failure.ts";
import type { ProtocolEvent, StreamEvent } from "../protocol/protocol.ts";
import { Assembler } from "../turn/assembler.ts";
import type { AnswerFacts } from "../turn/verdict.ts";

/** What a provider said of its own failure. */
export interface ProviderError {
  readonly code: string | null;
  readonly type: string | null;
  readonly message: string;
}

/** What one event amounts to. */
export interface Heard {
  /** A consumer sees it. */
  readonly visible: boolean;
  readonly output: boolean;
  readonly content: boolean;
}

const HIDDEN: Heard = { visible: false, output: false, content: false };
const VISIBLE: Heard = { visible: true, output: false, content: false };
const OUTPUT: Heard = { visible: true, output: true, content: false };
const CONTENT: Heard = { visible: true, output: true, content: true };

export class Answer {
  readonly assembler: Assembler;
  /** The success signal was seen. */
  signal = false;
  /** The provider has ended the answer without it. */
  ended = false;
  /** Why nothing further counts. */
  failure: FailureReason | null = null;
  providerError: ProviderError | null = null;
  /** A failure came without type, code or words; one more frame may hold them. */
  awaitsDetail = false;
  /** A provider-run tool has started. */
  providerTool = false;

  constructor(collect: boolean) {
    this.assembler = new Assembler(collect);
  }

  /** Nothing further changes anything. */
  get settled(): boolean {
    return this.signal || this.ended || this.failure !== null;
  }

  get facts(): AnswerFacts {
    const { stopReason, rawStopReason, anything, content } = this.assembler;
    return { signal: this.signal, ended: this.ended, stopReason, rawStopReason, anything, content };
  }

  fail(reason: FailureReason): void {
    this.failure ??= reason;
  }

  /** No detail came for a failure without any. */
  endWait(): void {
    if (this.awaitsDetail) this.fail("provider_error");
  }

  hear(event: ProtocolEvent): Heard {
    switch (event.type) {
      case "keep_alive":
        return HIDDEN;
      case "error":
        this.#providerFailed(event.code ?? null, event.providerType ?? null, event.message);
        return HIDDEN;
      case "malformed":
        this.fail("malformed_event");
        return HIDDEN;
      case "end":
        this.ended = true;
        return HIDDEN;
      case "done":
        this.signal = true;
        return HIDDEN;
      case "provider_tool":
        this.providerTool = true;
        this.assembler.add(event);
        return HIDDEN;
      case "tool_answered":
      case "ignored_choice":
        this.assembler.add(event);
        return HIDDEN;
      default:
        return this.#part(event);
    }
  }

  #part(event: Exclude<ProtocolEvent, { type: "error" }>): Heard {
    // What stands in the failing frame besides the failure is no answer, but its stop reason is kept.
    const failing = this.failure !== null || this.awaitsDetail;
    if (failing && event.type !== "stop" && event.type !== "usage") return HIDDEN;
    this.assembler.add(event);
    if (this.assembler.overflowed) {
      this.fail("too_large");
      return HIDDEN;
    }
    return weightOf(event as Omit<StreamEvent, "raw"> & { text?: string; delta?: string });
  }

  #providerFailed(code: string | null, type: string | null, message: string): void {
    if (this.failure !== null) return;
    this.awaitsDetail = code === null && type === null && message === "";
    this.providerError = { code, type, message };
    if (!this.awaitsDetail) this.fail("provider_error");
  }
}

/** Empty strings never count; reasoning is output and not content. */
function weightOf({
  type,
  text,
  delta,
}: {
  readonly type: string;
  readonly text?: string;
  readonly delta?: string;
}): Heard {
  if (type === "text" || type === "refusal") return text === "" ? VISIBLE : CONTENT;
  if (type === "reasoning") return text === "" ? VISIBLE : OUTPUT;
  if (type === "tool_call") return CONTENT;
  return type === "tool_arguments" && delta !== "" ? CONTENT : VISIBLE;
}
