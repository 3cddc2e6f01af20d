/** The language of scripts: what a provider is made to say, and how it is made to fail. */
import type { StopReason } from "../protocol/protocol.ts";

/**
 * A string is a text delta; the protocol follows the path's suffix, else the request (`anthropic-version` → Messages,
 * `input` → Responses, else chat). `status` without `body` sets the head, the rest is the body. A script that does not
 * fail ends properly by itself: stop reason, usage, success signal. One whose only output is `send` is left as written.
 */
export type Step =
  | string
  | { readonly reasoning: string }
  | {
      readonly toolCall: {
        readonly name: string;
        /** A string goes out as it is, so that it may be cut or invalid JSON; anything else as JSON. */
        readonly arguments: unknown;
        /** Default `call_1`, `call_2`, … */
        readonly id?: string | undefined;
        /** How many deltas the arguments come in. Default 1. */
        readonly pieces?: number | undefined;
      };
    }
  /** Before `status`: the headers stall. After it, or without one: the body does. */
  | { readonly waitMs: number }
  /** That many keep-alives, `everyMs` apart. */
  | { readonly keepAlive: number; readonly everyMs?: number | undefined }
  /** The success signal now; what follows comes after it (`{ end: "hold" }` keeps the socket open). */
  | { readonly done: true }
  | { readonly stop: StopReason }
  /** A failure in the protocol's own shape: in band, or as the JSON body of an error `status`. No proper ending follows it. */
  | { readonly error: string; readonly message?: string | undefined }
  | {
      readonly status: number;
      readonly body?: string | object | undefined;
      readonly headers?: Readonly<Record<string, string>> | undefined;
    }
  /** Verbatim bytes. */
  | { readonly send: string | Uint8Array }
  /**
   * `cut`: clean end of the body, no success signal. `reset`: socket reset. `half_close`: the writing side only. `hold`: open for ever.
   * `refuse`: as a path's only step, `url(path)` names a closed port; elsewhere the socket is reset unanswered.
   */
  | { readonly end: "cut" | "reset" | "half_close" | "hold" | "refuse" };

export type Script = readonly Step[];

/** URL prefix or endpoint path → its script, or one script per request (the last repeats). */
export interface Scripts {
  readonly [urlPrefix: string]: Script | readonly Script[];
}

type StepOf<Key extends string> = Extract<Exclude<Step, string>, Record<Key, unknown>>;
export type StatusStep = StepOf<"status">;
export type ToolCall = StepOf<"toolCall">["toolCall"];
export type Ending = StepOf<"end">["end"];

/** `isStep("status")` is a guard for that kind of step. */
export const isStep =
  <Key extends string>(key: Key) =>
  (step: Step): step is StepOf<Key> =>
    typeof step === "object" && key in step;
