/** A script read by this library's own decoder, without a network: what would come of it. */
import { Inspector } from "../attempt/inspector.ts";
import { anthropicMessages } from "../protocol/anthropic-messages.ts";
import { cohereV2 } from "../protocol/cohere-v2.ts";
import { gemini } from "../protocol/gemini.ts";
import { ollama } from "../protocol/ollama.ts";
import { openaiChat } from "../protocol/openai-chat.ts";
import { openaiCompletions } from "../protocol/openai-completions.ts";
import { openaiResponses } from "../protocol/openai-responses.ts";
import type { Protocol, ProtocolName } from "../protocol/protocol.ts";
import { Timeline } from "../timing/timeline.ts";
import { play } from "./play.ts";
import { pathOf } from "./providers/choose.ts";
import type { Script } from "./script.ts";

const PROTOCOLS: Readonly<Record<ProtocolName, Protocol>> = {
  "openai-chat": openaiChat,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  gemini,
  ollama,
  "cohere-v2": cohereV2,
  "openai-completions": openaiCompletions,
};

export const isProtocolName = (name: string): name is ProtocolName => Object.hasOwn(PROTOCOLS, name);

export interface Rehearsal {
  readonly inspector: Inspector;
  readonly timeline: Timeline;
}

/** @throws TypeError for a step that the protocol has no words for. */
export function rehearse(name: ProtocolName, script: Script): Rehearsal {
  const timeline = new Timeline(0);
  const inspector = new Inspector({
    protocol: PROTOCOLS[name],
    timeline,
    contentType: null,
    collect: true,
    maxEventBytes: Infinity,
    maxTurnBytes: Infinity,
    onEvent: null,
  });
  for (const act of play(script, { pathname: pathOf(name), headers: {}, body: null }, 1)) {
    if (act.type === "end" && act.how === "cut") inspector.end(0);
    if (act.type !== "write") continue;
    timeline.bytes += act.bytes.length;
    inspector.feed(act.bytes, 0);
  }
  return { inspector, timeline };
}
