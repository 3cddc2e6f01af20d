/** The seam between a script and the bytes of one protocol: each step becomes the frames that its provider would send. */
import type { StopReason } from "../../protocol/protocol.ts";

/** What a provider knows of the request that it answers, and of the answer so far. */
export interface Answer {
  /** 1 for the first request: it makes ids unique and the same in every run. */
  readonly ordinal: number;
  readonly model: string;
  /** Deltas so far: one token each. */
  outputTokens: number;
  reasoningTokens: number;
}

/** What every scripted request is said to have cost. */
export const INPUT_TOKENS = 10;
/** 2025-01-01, in seconds: when every scripted answer was created. */
export const CREATED = 1_735_689_600;
/** What a model says that declines. */
export const REFUSAL = "I can't help with that.";

export interface ScriptedCall {
  readonly id: string;
  readonly name: string;
  /** The whole arguments, as text. */
  readonly arguments: string;
  /** The same in pieces; empty if there are none. */
  readonly pieces: readonly string[];
}

/** Each method returns frames, ready for the wire; one frame is one write. */
export interface Provider {
  readonly name: string;
  readonly contentType: string;
  /** Where this provider puts its request id. */
  readonly requestIdHeader: string;
  /** Before the first output. */
  open(): string[];
  text(text: string): string[];
  reasoning(text: string): string[];
  toolCall(call: ScriptedCall): string[];
  stop(reason: StopReason): string[];
  /** What follows the stop reason and is not yet the success signal. */
  usage(): string[];
  done(): string[];
  keepAlive(): string;
  /** In band. */
  error(code: string, message: string): string[];
  /** The body of an HTTP error. */
  errorDocument(status: number, code: string, message: string): object;
}

/** A protocol that has no words for a step. */
export function cannotSay(protocol: string, step: string): never {
  throw new TypeError(`${protocol} cannot say ${step}; use { send } for bytes of your own`);
}

export const sse = (data: object | string, event?: string): string =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** An SSE event whose name is its `type`. */
export const typed = (type: string, fields: object = {}): string => sse({ type, ...fields }, type);

export const COMMENT = ": keep-alive\n\n";

/** For protocols that carry arguments as a value and not as text. */
export function argumentsObject(protocol: string, call: ScriptedCall): object {
  try {
    return JSON.parse(call.arguments || "{}");
  } catch {
    return cannotSay(protocol, `the tool arguments of "${call.name}", which are not JSON: it sends them as an object`);
  }
}
